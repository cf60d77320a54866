/**
 * Finds many folded texts in one pass (Aho and Corasick). A state is a row of the table of transitions, given by the place
 * where the row begins, and below zero, with all bits turned, where texts end in it: one comparison tells.
 */
import { symbolMax } from './fold.ts';

const width = symbolMax + 1;

export class Automaton {
  readonly next: Int32Array;
  /** By state: the text that ends in it, or -1; and the longest shorter state in which one ends, or 0. */
  readonly #texts: Int32Array;
  readonly #shorter: Int32Array;

  /** Each text once. */
  constructor(texts: readonly string[]) {
    const { edges, textAt, states } = trieOf(texts);
    const fails = new Int32Array(states);
    const shorter = new Int32Array(states);
    const rowOf = (state: number) => {
      const isEnd = (textAt[state] as number) >= 0 || (shorter[state] as number) > 0;
      return isEnd ? ~(state * width) : state * width;
    };
    // States are numbered by length: what one falls back to is shorter, and complete already.
    for (let state = 0; state < states; state += 1) {
      const failRow = (fails[state] as number) * width;
      const row = state * width;
      for (let symbol = 0; symbol < width; symbol += 1) {
        const child = edges[row + symbol] as number;
        const beyond = state === 0 ? 0 : (edges[failRow + symbol] as number);
        if (child === 0) {
          edges[row + symbol] = beyond;
          continue;
        }
        const fail = (beyond < 0 ? ~beyond : beyond) / width;
        fails[child] = fail;
        shorter[child] = (textAt[fail] as number) >= 0 ? fail : (shorter[fail] as number);
        edges[row + symbol] = rowOf(child);
      }
    }
    this.next = edges;
    this.#texts = textAt;
    this.#shorter = shorter;
  }

  /** The texts that end in a state, given as it is in the table, as their places in the list; the longest first. */
  forEachText(state: number, take: (text: number) => void): void {
    for (let at = ~state / width; at > 0; at = this.#shorter[at] as number) {
      const text = this.#texts[at] as number;
      if (text >= 0) take(text);
    }
  }
}

/** The states of all texts by their length, one symbol of every text after another. */
function trieOf(texts: readonly string[]) {
  const statesMax = texts.reduce((sum, text) => sum + text.length, 1);
  const edges = new Int32Array(statesMax * width);
  const textAt = new Int32Array(statesMax).fill(-1);
  const stateOf = new Int32Array(texts.length);
  let states = 1;
  let open = Array.from(texts.keys());
  for (let at = 0; open.length > 0; at += 1) {
    const longer: number[] = [];
    for (const index of open) {
      const text = texts[index] as string;
      if (at === text.length) {
        textAt[stateOf[index] as number] = index;
        continue;
      }
      const edge = (stateOf[index] as number) * width + text.charCodeAt(at);
      if (edges[edge] === 0) edges[edge] = states++;
      stateOf[index] = edges[edge] as number;
      longer.push(index);
    }
    open = longer;
  }
  return { edges: edges.subarray(0, states * width), textAt, states };
}
