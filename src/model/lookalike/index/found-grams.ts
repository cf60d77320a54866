/** The indexed n-grams found in a name, with the index of the last symbol of each. A growable list in one typed array. */
export class FoundGrams {
  #values = new Int32Array(64);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  add(gram: number, position: number): void {
    const at = this.length * 2;
    if (at === this.#values.length) {
      const grown = new Int32Array(at * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[at] = gram;
    this.#values[at + 1] = position;
    this.length += 1;
  }

  gram(index: number): number {
    return this.#values[index * 2] as number;
  }

  position(index: number): number {
    return this.#values[index * 2 + 1] as number;
  }
}
