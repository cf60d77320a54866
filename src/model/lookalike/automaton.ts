/**
 * Finds many folded texts in one pass (Aho and Corasick). A state is a row of the table of transitions, given by the place
 * where the row begins; states where texts end come last, so that one comparison tells them.
 */
import { symbolMax } from './fold.ts';

export class Automaton {
  static readonly width = symbolMax + 1;
  readonly next: Int32Array;
  /** The first state in which a text ends. */
  readonly endsFrom: number;
  /** By state divided by the width, less the first such: the text that ends there, or -1. */
  readonly #texts: Int32Array;
  /** The same: the next shorter state in which a text ends, or 0. */
  readonly #shorter: Int32Array;

  /** Each text once. */
  constructor(texts: readonly string[]) {
    const { width } = Automaton;
    const { edges, textAt, states } = trieOf(texts);
    const order = new Int32Array(states);
    const fails = new Int32Array(states);
    const shorter = new Int32Array(states);
    let [read, written] = [0, 1];
    // Breadth first: what a state falls back to is shorter, and complete already.
    while (read < written) {
      const state = order[read++] as number;
      const fail = fails[state] as number;
      shorter[state] = (textAt[fail] as number) >= 0 ? fail : (shorter[fail] as number);
      for (let symbol = 0; symbol < width; symbol += 1) {
        const child = edges[state * width + symbol] as number;
        const beyond = state === 0 ? 0 : (edges[fail * width + symbol] as number);
        if (child === 0) {
          edges[state * width + symbol] = beyond;
          continue;
        }
        fails[child] = beyond;
        order[written++] = child;
      }
    }
    const places = new Int32Array(states);
    const isEnd = (state: number) => (textAt[state] as number) >= 0 || (shorter[state] as number) > 0;
    let place = 0;
    for (const state of order) if (!isEnd(state)) places[state] = place++ * width;
    this.endsFrom = place * width;
    const ends = states - place;
    for (const state of order) if (isEnd(state)) places[state] = place++ * width;
    this.#texts = new Int32Array(ends);
    this.#shorter = new Int32Array(ends);
    this.next = new Int32Array(states * width);
    for (let state = 0; state < states; state += 1) {
      const row = places[state] as number;
      for (let symbol = 0; symbol < width; symbol += 1) {
        this.next[row + symbol] = places[edges[state * width + symbol] as number] as number;
      }
      if (row < this.endsFrom) continue;
      const end = (row - this.endsFrom) / width;
      this.#texts[end] = textAt[state] as number;
      this.#shorter[end] = places[shorter[state] as number] as number;
    }
  }

  /** The texts that end in a state, as their places in the list, the longest first. */
  forEachText(state: number, take: (text: number) => void): void {
    for (let at = state; at >= this.endsFrom && at > 0; ) {
      const end = (at - this.endsFrom) / Automaton.width;
      const text = this.#texts[end] as number;
      if (text >= 0) take(text);
      at = this.#shorter[end] as number;
    }
  }
}

function trieOf(texts: readonly string[]) {
  const { width } = Automaton;
  const statesMax = texts.reduce((sum, text) => sum + text.length, 1);
  const edges = new Int32Array(statesMax * width);
  const textAt = new Int32Array(statesMax).fill(-1);
  let states = 1;
  texts.forEach((text, index) => {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const edge = state * width + text.charCodeAt(at);
      if (edges[edge] === 0) edges[edge] = states++;
      state = edges[edge] as number;
    }
    textAt[state] = index;
  });
  return { edges, textAt, states };
}
