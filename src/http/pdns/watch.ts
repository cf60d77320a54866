/**
 * Looks after all answers under way with one timer, so that a short answer needs none of its own: who has left, what takes
 * too long, what has waited long enough to be sent.
 */

export interface Watched {
  /** `nowMs` is on a clock that only measures time passing. */
  look(nowMs: number): void;
}

const everyMs = 200;

export class Watch {
  readonly #watched = new Set<Watched>();
  readonly #timer = setInterval(() => {
    const nowMs = performance.now();
    for (const one of this.#watched) one.look(nowMs);
  }, everyMs).unref();

  add(one: Watched): void {
    this.#watched.add(one);
  }

  delete(one: Watched): void {
    this.#watched.delete(one);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
