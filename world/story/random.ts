/**
 * Chance that comes from a seed: the small fast counter of Doty-Humphrey (sfc32). What is drawn for one purpose never depends on what was
 * drawn for another when both derive a source of their own, so a change in one corner of the story leaves the rest as it was.
 */

export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#seed = seed;
    [this.#a, this.#b, this.#c] = [hashOf(seed, 1), hashOf(seed, 2), hashOf(seed, 3)];
    for (let round = 0; round < 12; round += 1) this.#next();
  }

  /** Another source, the same for the same purpose whatever was drawn here. */
  derive(purpose: string): Random {
    return new Random(`${this.#seed}/${purpose}`);
  }

  /** From 0 to below 1. */
  fraction(): number {
    return this.#next() / 0x1_0000_0000;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** The first far more often than the last: of ten, the first three get two thirds. */
  pickSkewed<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.fraction() ** 3 * items.length)] as Item;
  }

  /** So many different ones, in a new order. */
  some<Item>(items: readonly Item[], count: number): readonly Item[] {
    const rest = [...items];
    const taken: Item[] = [];
    while (taken.length < count && rest.length > 0) taken.push(...rest.splice(this.below(rest.length), 1));
    return taken;
  }

  digits(count: number): string {
    return this.characters('0123456789', count);
  }

  characters(alphabet: string, count: number): string {
    return Array.from({ length: count }, () => alphabet[this.below(alphabet.length)]).join('');
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}

/** FNV-1a over UTF-16, for seeds and for choices that a name alone decides. */
export function hashOf(text: string, salt = 0): number {
  let hash = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1);
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
