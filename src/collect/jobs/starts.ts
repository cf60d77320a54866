/** How much more may be begun now, where no more than so much is begun within any second. */
export class Starts {
  readonly #perSecond: number;
  #lately: { readonly atMs: number; readonly count: number }[] = [];

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  room(nowMs: number): number {
    this.#lately = this.#lately.filter(({ atMs }) => nowMs - atMs < 1000);
    return this.#perSecond - this.#lately.reduce((sum, { count }) => sum + count, 0);
  }

  note(count: number, nowMs: number): void {
    if (count > 0) this.#lately.push({ atMs: nowMs, count });
  }

  /** How long until there is room where there is none. */
  waitMs(nowMs: number): number {
    const first = this.#lately[0];
    return first ? Math.max(0, first.atMs + 1000 - nowMs) : 0;
  }
}
