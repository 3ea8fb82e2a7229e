// The locks, put together from what the replicas say. Who holds a lock, and for how long, is what Redis says, through
// whichever replica was heard last: a replica that is paused still believes that it holds what it held.

export class Locks {
  #owners = new Map(); // owner value: what its replica said of it
  #keys = new Set();

  constructor(keys) {
    keys.forEach(key => this.#keys.add(key));
  }

  /** Whether any replica that answers can ask Redis. */
  redisAnswers(replicas) {
    const answering = replicas.filter(replica => replica.answers);
    return answering.length === 0 || answering.some(replica => replica.snapshot.keys);
  }

  /** Every lock that was ever seen, held or free. */
  all(replicas) {
    for (const replica of replicas) {
      for (const held of replica.snapshot.held) {
        this.#owners.set(held.value, { replica, ...held });
      }
    }
    const witness = replicas.filter(replica => replica.snapshot.keys).sort((a, b) => a.silence - b.silence)[0];
    const inRedis = new Map(witness?.snapshot.keys.map(key => [key.key, key]));
    inRedis.forEach((_, key) => this.#keys.add(key));
    this.#forgetAllBut(new Set([...inRedis.values()].map(key => key.value)));
    replicas.forEach(replica => Object.keys(replica.snapshot.waiting).forEach(key => this.#keys.add(key)));
    return [...this.#keys].sort().map(key => this.#lock(key, inRedis.get(key), witness, replicas));
  }

  #forgetAllBut(values) {
    [...this.#owners.keys()].filter(value => !values.has(value)).forEach(value => this.#owners.delete(value));
  }

  #lock(key, found, witness, replicas) {
    const left = found ? Math.max(0, found.remainingMillis - witness.silence) : 0;
    const owner = this.#owners.get(found?.value);
    return {
      key,
      left,
      held: left > 0,
      known: left > 0 || Boolean(witness?.answers),
      holder: owner?.replica,
      suspect: owner?.state === 'SUSPECT',
      token: owner?.fencingToken,
      waiting: replicas.map(replica => ({ replica, count: replica.snapshot.waiting[key] ?? 0 })),
    };
  }
}
