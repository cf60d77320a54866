/** Grams that were met in a name, and at which of its symbols. */
export class FoundGrams {
  #values = new Int32Array(64);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  add(gram: number, place: number): void {
    const at = this.length * 2;
    if (at === this.#values.length) {
      const grown = new Int32Array(at * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[at] = gram;
    this.#values[at + 1] = place;
    this.length += 1;
  }

  gram(index: number): number {
    return this.#values[index * 2] as number;
  }

  place(index: number): number {
    return this.#values[index * 2 + 1] as number;
  }
}
