/**
 * The tree of RFC 6962, section 2.1, over leaves that only ever come at the end. The hash of every full subtree is kept, so that roots and
 * proofs of any size that the tree once had take a logarithm of steps.
 */
import { hash } from 'node:crypto';

const leafMark = Buffer.from([0]);
const nodeMark = Buffer.from([1]);

export class MerkleTree {
  /** By level from the leaves: the hashes of full subtrees of 2^level leaves. */
  readonly #levels: Buffer[][] = [[]];

  get size(): number {
    return this.#levels[0]?.length ?? 0;
  }

  /** Gives the hash of the new leaf. */
  append(leaf: Buffer): Buffer {
    const leafHash = sha256(leafMark, leaf);
    let carried = leafHash;
    for (let level = 0; ; level += 1) {
      const hashes = (this.#levels[level] ??= []);
      hashes.push(carried);
      if (hashes.length % 2 === 1) return leafHash;
      carried = sha256(nodeMark, hashes.at(-2) as Buffer, carried);
    }
  }

  root(size = this.size): Buffer {
    return size === 0 ? sha256() : this.#rangeHash(0, size);
  }

  /** The hash of the full subtree number `index` of 2^level leaves. */
  findSubtree(level: number, index: number): Buffer | undefined {
    return this.#levels[level]?.[index];
  }

  /** From the leaf up to the root of the tree of that size. */
  inclusionProof(index: number, size: number): Buffer[] {
    const path = (at: number, from: number, to: number): Buffer[] => {
      if (to - from === 1) return [];
      const middle = from + splitOf(to - from);
      return at < middle
        ? [...path(at, from, middle), this.#rangeHash(middle, to)]
        : [...path(at, middle, to), this.#rangeHash(from, middle)];
    };
    return path(index, 0, size);
  }

  /** That the tree of the second size begins with the tree of the first. */
  consistencyProof(first: number, second: number): Buffer[] {
    const proof = (known: number, from: number, to: number, isWhole: boolean): Buffer[] => {
      if (from + known === to) return isWhole ? [] : [this.#rangeHash(from, to)];
      const split = splitOf(to - from);
      const middle = from + split;
      return known <= split
        ? [...proof(known, from, middle, isWhole), this.#rangeHash(middle, to)]
        : [...proof(known - split, middle, to, false), this.#rangeHash(from, middle)];
    };
    return first === 0 ? [] : proof(first, 0, second, true);
  }

  #rangeHash(from: number, to: number): Buffer {
    const length = to - from;
    const level = Math.log2(length);
    if (Number.isInteger(level)) return this.#levels[level]?.[from / length] as Buffer;
    const middle = from + splitOf(length);
    return sha256(nodeMark, this.#rangeHash(from, middle), this.#rangeHash(middle, to));
  }
}

/** The largest power of two below the length. */
function splitOf(length: number): number {
  return 2 ** (31 - Math.clz32(length - 1));
}

function sha256(...pieces: readonly Buffer[]): Buffer {
  return hash('sha256', Buffer.concat(pieces), 'buffer');
}
