/** Where a name may be like a term, found quickly, to be looked at closely. Places are counted in bytes of the name. */

/**
 * The folded term ends here; a whole label, or two side by side, may be a variation of it, of one of its other words, or only
 * weakly like it; something inside a label may be a variation of it, or of its other words.
 */
export const contained = 0;
export const whole = 1;
export const wholeVaried = 2;
export const wholeWeak = 3;
export const inside = 4;
export const insideVaried = 5;

const fields = 4;

export class Candidates {
  #values = new Int32Array(64 * fields);
  length = 0;

  add(kind: number, term: number, from: number, to: number): void {
    const at = this.length * fields;
    if (at === this.#values.length) {
      const grown = new Int32Array(at * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[at] = kind;
    this.#values[at + 1] = term;
    this.#values[at + 2] = from;
    this.#values[at + 3] = to;
    this.length += 1;
  }

  kind(index: number): number {
    return this.#values[index * fields] as number;
  }

  term(index: number): number {
    return this.#values[index * fields + 1] as number;
  }

  from(index: number): number {
    return this.#values[index * fields + 2] as number;
  }

  to(index: number): number {
    return this.#values[index * fields + 3] as number;
  }
}
