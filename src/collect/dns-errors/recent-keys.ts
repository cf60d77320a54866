/** What was told within a while. Where more is told than can be kept in mind, what was told first is forgotten first. */
export class RecentKeys {
  readonly #keysMax: number;
  readonly #windowMs: number;
  /** When each was told, in that order. */
  readonly #toldMs = new Map<string, number>();

  constructor(keysMax: number, windowMs: number) {
    this.#keysMax = keysMax;
    this.#windowMs = windowMs;
  }

  /** Whether it is to be told now; it is then taken as told. */
  tell(key: string, nowMs: number): boolean {
    const toldMs = this.#toldMs.get(key);
    if (toldMs !== undefined && nowMs - toldMs < this.#windowMs) return false;
    this.#toldMs.delete(key);
    this.#toldMs.set(key, nowMs);
    this.#forget(nowMs);
    return true;
  }

  /** Two for each that comes: so there are never more than may be, and a long pause leaves no long step behind. */
  #forget(nowMs: number): void {
    let left = 2;
    for (const [key, toldMs] of this.#toldMs) {
      const isOver = this.#toldMs.size > this.#keysMax || nowMs - toldMs >= this.#windowMs;
      if (!isOver || left-- === 0) return;
      this.#toldMs.delete(key);
    }
  }
}
