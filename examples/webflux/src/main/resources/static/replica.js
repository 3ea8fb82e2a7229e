// One replica as this page hears it: what it said last, and how long ago. While it is paused it says nothing, and the
// page must not go on as if it had.

const SILENT_AFTER = 1500; // it sends four snapshots a second
const SILENT_WHEN_PAUSED = 500;
const LISTEN_AGAIN_AFTER = 1000;

export class Replica {
  snapshot = { held: [], waiting: {}, keys: null };
  #heardAt = -Infinity;
  #pausedUntil = -Infinity;

  constructor(name, address, onEvent) {
    this.name = name;
    this.address = address;
    this.onEvent = onEvent;
    this.#listen();
  }

  #listen() {
    const source = new EventSource(`${this.address}/live`);
    source.addEventListener('snapshot', message => {
      this.snapshot = JSON.parse(message.data);
      this.#heardAt = performance.now();
    });
    source.addEventListener('lock', message => this.onEvent(JSON.parse(message.data)));
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) {
        // else it connects again by itself
        setTimeout(() => this.#listen(), LISTEN_AGAIN_AFTER);
      }
    });
  }

  /** Milliseconds since it was heard. */
  get silence() {
    return performance.now() - this.#heardAt;
  }

  /** Milliseconds until it is to go on; 0 when it is not paused, as far as this page knows. */
  get pauseLeft() {
    return this.silence > SILENT_WHEN_PAUSED ? Math.max(0, this.#pausedUntil - performance.now()) : 0;
  }

  get answers() {
    return this.silence < SILENT_AFTER && this.pauseLeft === 0;
  }

  /** Whether it was paused, or is silent for another reason. */
  get resting() {
    return performance.now() < this.#pausedUntil || !this.answers;
  }

  /** The answer to a request without a body. */
  post(path) {
    return fetch(this.address + path, { method: 'POST' });
  }

  async pause() {
    const answer = await this.post('/pause');
    if (!answer.ok) {
      throw new Error(`Replica ${this.name} cannot be paused: ${answer.status}`);
    }
    this.#pausedUntil = performance.now() + (await answer.json()).forMillis;
  }
}
