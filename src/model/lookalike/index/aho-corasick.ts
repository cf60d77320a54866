/**
 * Aho-Corasick automaton: finds many folded texts in one pass (Aho and Corasick 1975, https://doi.org/10.1145/360825.360855),
 * with the failure links compiled into one transition table (a DFA). A state is the offset of its row in that table; accepting
 * states are stored as the bitwise complement, so that one sign test recognizes them.
 */
import { symbolMax } from '../fold/fold.ts';

const width = symbolMax + 1;

export class Automaton {
  readonly next: Int32Array;
  /** By state: the text that ends in it, or -1; and its output link, the longest proper suffix state that accepts, or 0. */
  readonly #texts: Int32Array;
  readonly #outputLinks: Int32Array;

  /** The texts must be distinct. */
  constructor(texts: readonly string[]) {
    const { edges, textAt, states } = trieOf(texts);
    const failures = new Int32Array(states);
    const outputLinks = new Int32Array(states);
    const rowOf = (state: number) => {
      const isAccepting = (textAt[state] as number) >= 0 || (outputLinks[state] as number) > 0;
      return isAccepting ? ~(state * width) : state * width;
    };
    // States are numbered in breadth-first order, so the failure state of each is already complete.
    for (let state = 0; state < states; state += 1) {
      const failureRow = (failures[state] as number) * width;
      const row = state * width;
      for (let symbol = 0; symbol < width; symbol += 1) {
        const child = edges[row + symbol] as number;
        const fallback = state === 0 ? 0 : (edges[failureRow + symbol] as number);
        if (child === 0) {
          edges[row + symbol] = fallback;
          continue;
        }
        const failure = (fallback < 0 ? ~fallback : fallback) / width;
        failures[child] = failure;
        outputLinks[child] = (textAt[failure] as number) >= 0 ? failure : (outputLinks[failure] as number);
        edges[row + symbol] = rowOf(child);
      }
    }
    this.next = edges;
    this.#texts = textAt;
    this.#outputLinks = outputLinks;
  }

  /** Visits the index of each text that ends in an accepting state (as stored in the table), the longest first. */
  forEachText(state: number, visit: (text: number) => void): void {
    for (let at = ~state / width; at > 0; at = this.#outputLinks[at] as number) {
      const text = this.#texts[at] as number;
      if (text >= 0) visit(text);
    }
  }
}

/** The trie of all texts, built breadth first. */
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
