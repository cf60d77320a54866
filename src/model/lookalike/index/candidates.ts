/**
 * Candidate matches of one name, which `align/verify-candidates.ts` verifies: a growable list of (kind, term, from, to) rows in
 * one typed array. Positions are byte offsets in the name.
 */

/**
 * Kinds: the folded term ends at `to`; a whole label, or two adjacent ones, may be an edit of the term (`whole`), of one of its
 * variants (`wholeVaried`) or consist of weak homoglyphs (`wholeWeak`); a part of a label may be an edit of the term or a variant.
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
