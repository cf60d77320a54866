/** A memory of names that came not long ago. It holds between once and twice as many as it is made for; the oldest are forgotten first. */
export class RecentNames {
  readonly #namesMax: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(namesMax: number) {
    this.#namesMax = namesMax;
  }

  has(name: string): boolean {
    return this.#young.has(name) || this.#old.has(name);
  }

  add(name: string): void {
    this.#young.add(name);
    if (this.#young.size < this.#namesMax) return;
    this.#old = this.#young;
    this.#young = new Set();
  }
}
