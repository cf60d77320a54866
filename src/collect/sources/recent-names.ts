/**
 * A bounded set of recent names in two generations: when the young one is full it replaces the old one. Holds between one and two
 * times `namesMax`.
 */
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
