// Puts the page together: who is heard, what is shown, and what the two buttons do.

import { Replica } from './replica.js';
import { Locks } from './locks.js';
import { Answers, LocksView, ReplicaView, Timeline } from './view.js';

const CONTENDED = 'order:7';

// For each replica: two requests that wait for their turn, one that does not wait, and one for an order of its own.
const requests = number => [
  { key: CONTENDED, takes: 'PT4S', wait: 'PT40S' },
  { key: CONTENDED, takes: 'PT4S', wait: 'PT40S' },
  { key: CONTENDED, takes: 'PT4S', wait: 'PT0S' },
  { key: `order:${8 + number}`, takes: 'PT4S', wait: 'PT0S' },
];

const byId = id => document.getElementById(id);
const timeline = new Timeline(byId('events'), byId('no-events'));
const answers = new Answers(byId('answers'), byId('no-answers'));

const addresses = await (await fetch('/replicas')).json();
const replicas = addresses.map(
  ({ replica, port }) =>
    new Replica(replica, `${location.protocol}//${location.hostname}:${port}`, event => timeline.add(event)),
);
const replicaViews = replicas.map(replica => new ReplicaView(replica, byId('replicas')));
const locks = new Locks([CONTENDED, ...replicas.map((_, number) => `order:${8 + number}`)]);
const locksView = new LocksView(byId('locks'));

const announce = text => {
  byId('announcement').textContent = text;
};

async function ask(replica, { key, takes, wait }) {
  const tell = answers.asked(replica, key);
  try {
    const answer = await replica.post(`/orders/${key.replace('order:', '')}/process?takes=${takes}&wait=${wait}`);
    const again = answer.headers.get('Retry-After');
    const body = await answer.json();
    const more = again ? `, again in ${again} s` : body.reason ? ', lock lost' : '';
    tell(answer.status, answer.status + more);
  } catch {
    tell('failed', 'no answer');
  }
}

byId('contend').addEventListener('click', async event => {
  const button = event.currentTarget;
  button.disabled = true; // a browser opens six connections to a replica, and this needs five
  answers.clear();
  announce('Eight requests are sent, six of them for the same order.');
  await Promise.all(replicas.flatMap((replica, number) => requests(number).map(request => ask(replica, request))));
  announce('All requests are answered.');
  button.disabled = false;
});

// The holder of the contended lock is who it is worth to pause.
function toPause() {
  const holder = locks.all(replicas).find(lock => lock.key === CONTENDED)?.holder;
  return holder ?? replicas[0];
}

byId('pause').addEventListener('click', async event => {
  event.currentTarget.disabled = true;
  try {
    await toPause().pause();
  } catch (failure) {
    announce(failure.message);
  }
});

const answered = new Map(replicas.map(replica => [replica, false]));

function show() {
  replicaViews.forEach(view => view.show());
  locksView.show(locks.all(replicas));
  byId('redis').hidden = locks.redisAnswers(replicas);

  const resting = replicas.find(replica => replica.resting);
  byId('pause').disabled = Boolean(resting); // one at a time
  byId('pause').textContent = resting ? `${resting.name} does not answer` : `Pause replica ${toPause().name}`;

  for (const replica of replicas) {
    if (replica.answers !== answered.get(replica)) {
      answered.set(replica, replica.answers);
      announce(`Replica ${replica.name} ${replica.answers ? 'answers' : 'does not answer'}.`);
    }
  }
}

setInterval(show, 100);
