// How what is known is shown. Elements are made once and then changed, so that nothing jumps and focus stays.

const EVENTS_SHOWN = 40;
const WAITERS_SHOWN = 12;

const make = template => document.getElementById(template).content.firstElementChild.cloneNode(true);

const set = (element, text) => {
  if (element.textContent !== text) {
    element.textContent = text;
  }
};

const badge = (element, name) => {
  set(element, name ?? '');
  element.dataset.replica = name ?? '';
};

const seconds = millis => `${(millis / 1000).toFixed(1)} s`;
const wholeSeconds = millis => `${Math.ceil(millis / 1000)} s`;
const order = key => key.replace(':', ' ');

/** A replica's card. */
export class ReplicaView {
  #card = make('replica-template');

  constructor(replica, into) {
    this.replica = replica;
    badge(this.#card.querySelector('.badge'), replica.name);
    set(this.#card.querySelector('h2'), `Replica ${replica.name}`);
    const address = this.#card.querySelector('.address');
    set(address, replica.address.replace('http://', ''));
    address.href = replica.address;
    this.#card.dataset.replica = replica.name;
    into.append(this.#card);
  }

  show() {
    this.#card.dataset.answers = this.replica.answers;
    set(this.#card.querySelector('.status'), this.#status());
    const { held, waiting } = this.replica.snapshot;
    const waits = Object.values(waiting).reduce((sum, count) => sum + count, 0);
    set(this.#card.querySelector('.charging'), this.replica.answers ? 'Charges' : 'Believes it charges');
    set(
      this.#card.querySelector('.charges'),
      held
        .map(lock => order(lock.key))
        .sort()
        .join(', ') || 'nothing',
    );
    set(this.#card.querySelector('.waits'), waits === 0 ? 'nobody' : waits === 1 ? '1 request' : `${waits} requests`);
  }

  #status() {
    if (this.replica.answers) {
      return 'Answers';
    }
    if (this.replica.pauseLeft > 0) {
      return `Paused, ${wholeSeconds(this.replica.pauseLeft)} left`;
    }
    const { silence } = this.replica;
    return silence === Infinity ? 'Does not answer' : `No answer for ${wholeSeconds(silence)}`;
  }
}

/** The card of one lock. */
class LockView {
  #card = make('lock-template');
  #longest = 1;
  #holder;

  constructor(key, into) {
    set(this.#card.querySelector('h3'), order(key));
    this.#card.id = key;
    into.append(this.#card);
  }

  show(lock) {
    const holder = lock.held ? (lock.holder?.name ?? '?') : undefined;
    if (holder !== this.#holder) {
      this.#holder = holder;
      this.#longest = 1;
    }
    this.#longest = Math.max(this.#longest, lock.left);
    this.#card.dataset.state = this.#state(lock);
    this.#card.dataset.replica = holder ?? '';
    badge(this.#card.querySelector('.badge'), holder);
    set(this.#card.querySelector('.says'), this.#says(lock));
    set(this.#card.querySelector('.remaining'), lock.held ? seconds(lock.left) : '');
    const gone = lock.held ? 100 * (1 - lock.left / this.#longest) : 100;
    this.#card.querySelector('.left').style.clipPath = `inset(0 ${gone.toFixed(1)}% 0 0)`;
    this.#card
      .querySelector('.lease')
      .setAttribute('aria-label', lock.held ? `Lease ends in ${wholeSeconds(lock.left)}` : 'No lease');
    set(this.#card.querySelector('.token'), lock.held && lock.token ? String(lock.token) : '–');
    this.#showWaiting(lock.waiting.filter(({ count }) => count > 0));
  }

  #state(lock) {
    if (!lock.held) {
      return 'free';
    }
    if (!lock.holder?.answers) {
      return 'orphaned';
    }
    return lock.suspect ? 'suspect' : 'held';
  }

  #says(lock) {
    if (!lock.held) {
      return lock.known ? 'Free' : 'Not known';
    }
    if (!lock.holder) {
      return 'Held by a process that does not answer';
    }
    if (!lock.holder.answers) {
      return 'Holder does not answer: not renewed';
    }
    return lock.suspect ? 'Holder’s renewal got no answer' : 'Held and renewed';
  }

  #showWaiting(waiting) {
    const waiters = waiting.map(({ replica, count }) => replica.name.repeat(count)).join('');
    const shown = this.#card.querySelector('.waiters');
    if (shown.dataset.waiters === waiters) {
      return;
    }
    shown.dataset.waiters = waiters;
    shown.replaceChildren(
      ...[...waiters].slice(0, WAITERS_SHOWN).map(name => {
        const one = document.createElement('span');
        one.className = 'badge';
        badge(one, name);
        return one;
      }),
    );
    if (waiters === '') {
      shown.append('nobody');
    } else if (waiters.length > WAITERS_SHOWN) {
      shown.append(`and ${waiters.length - WAITERS_SHOWN} more`);
    }
  }
}

/** All locks. */
export class LocksView {
  #views = new Map();

  constructor(into) {
    this.into = into;
  }

  show(locks) {
    for (const lock of locks) {
      if (!this.#views.has(lock.key)) {
        this.#views.set(lock.key, new LockView(lock.key, this.into));
      }
      this.#views.get(lock.key).show(lock);
    }
  }
}

/** What happened, the latest first. */
export class Timeline {
  #seen = new Set();

  constructor(into, empty) {
    this.into = into;
    this.empty = empty;
  }

  add(event) {
    if (this.#seen.has(event.id)) {
      return; // told again after the connection was lost
    }
    this.#seen.add(event.id);
    this.empty.hidden = true;
    const line = make('event-template');
    const at = new Date(event.at);
    line.dataset.kind = event.kind;
    line.dataset.at = event.at;
    set(line.querySelector('time'), at.toLocaleTimeString([], { hour12: false }));
    line.querySelector('time').dateTime = at.toISOString();
    badge(line.querySelector('.badge'), event.replica);
    set(line.querySelector('b'), order(event.key));
    set(line.querySelector('.text'), event.text);
    // What a paused replica tells late belongs where it happened.
    const later = [...this.into.children].find(other => Number(other.dataset.at) <= event.at);
    this.into.insertBefore(line, later ?? null);
    while (this.into.children.length > EVENTS_SHOWN) {
      this.into.lastElementChild.remove();
    }
  }
}

/** What the requests of this page were answered. */
export class Answers {
  constructor(into, empty) {
    this.into = into;
    this.empty = empty;
  }

  clear() {
    this.empty.hidden = true;
    this.into.replaceChildren();
  }

  /** A request that has no answer yet; gives back how to tell its answer. */
  asked(replica, key) {
    const line = make('answer-template');
    badge(line.querySelector('.badge'), replica.name);
    set(line.querySelector('.order'), order(key));
    set(line.querySelector('.status'), '…');
    line.dataset.status = 'open';
    this.into.append(line);
    return (status, text) => {
      line.dataset.status = status;
      set(line.querySelector('.status'), text);
    };
  }
}
