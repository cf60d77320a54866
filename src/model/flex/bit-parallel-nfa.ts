/**
 * Simulates an NFA with its set of states as a bit vector: where a DFA would need a new state for nearly every character, as for
 * `a[ab]{200}c` on random text, this costs a few words for each character instead. A state that leads to the one compiled before it
 * is followed by shifting the vector, as in the Shift-And algorithm (Baeza-Yates, Gonnet 1992, https://doi.org/10.1145/135239.135243);
 * the others, those before a branch, a loop or an anchor, one by one. So a character costs at worst one visit of every state.
 */
import type { Nfa, NfaState } from './thompson-nfa.ts';

export class BitParallelNfa {
  readonly #nfa: Nfa;
  readonly #words: number;
  /** For each symbol the states that consume it, as a bit vector. */
  readonly #consuming: Int32Array;
  /** The states whose successor is not the state before them, or consumes nothing. */
  readonly #jumping: Int32Array;
  readonly #next: Int32Array;
  readonly #endAnchors: readonly number[];
  #current: Int32Array;
  #following: Int32Array;
  /** For each state the step that visited it last. */
  readonly #visitedIn: Float64Array;
  #step = 0;
  readonly #stack: Int32Array;
  #visits = 0;
  #isMatched = false;
  #text: Uint8Array = new Uint8Array(0);
  #length = 0;
  #index = 0;

  constructor(nfa: Nfa) {
    const { states, contains, symbolCount } = nfa;
    this.#nfa = nfa;
    this.#words = (states.length + 31) >>> 5;
    this.#consuming = new Int32Array(symbolCount * this.#words);
    this.#jumping = new Int32Array(this.#words);
    this.#current = new Int32Array(this.#words);
    this.#following = new Int32Array(this.#words);
    this.#visitedIn = new Float64Array(states.length);
    // Each state is visited once and adds two at most.
    this.#stack = new Int32Array(2 * states.length + 1);
    this.#next = Int32Array.from(states, ({ next }) => next);
    this.#endAnchors = [...states.keys()].filter((at) => states[at]?.kind === 'end');
    for (const [at, { kind, set, next }] of states.entries()) {
      if (kind !== 'char') continue;
      for (let symbol = 0; symbol < symbolCount; symbol += 1) {
        if (contains[set * symbolCount + symbol] === 1) {
          setBit(this.#consuming.subarray(symbol * this.#words, (symbol + 1) * this.#words), at);
        }
      }
      if (next !== at - 1 || (states[next] as NfaState).kind !== 'char') setBit(this.#jumping, at);
    }
  }

  /** Begins at an index of a text with these states active, which consume a character or are the anchor of the end. */
  begin(text: Uint8Array, length: number, index: number, states: Iterable<number>): void {
    this.#text = text;
    this.#length = length;
    this.#index = index;
    this.#isMatched = false;
    this.#current.fill(0);
    for (const state of states) setBit(this.#current, state);
  }

  /** As `PatternMatcher.resume`. */
  resume(workMax: number): boolean | undefined {
    const { symbols } = this.#nfa;
    const text = this.#text;
    const from = this.#visits;
    for (let work = 0; this.#index < this.#length; work += this.#words) {
      if (work + this.#visits - from > workMax) return undefined;
      const code = text[this.#index] as number;
      this.#index += 1;
      const isAlive = this.#advance(symbols[code < 128 ? code : 128] as number);
      if (this.#isMatched) return true;
      if (!isAlive) return false;
    }
    return this.#matchesAtEnd();
  }

  #advance(symbol: number): boolean {
    const words = this.#words;
    const current = this.#current;
    const following = this.#following;
    const consuming = this.#consuming;
    const jumping = this.#jumping;
    this.#step += 1;
    for (let word = 0; word < words; word += 1) following[word] = 0;
    let alive = 0;
    let above = 0;
    for (let word = words - 1, at = (symbol + 1) * words - 1; word >= 0; word -= 1, at -= 1) {
      const taken = (current[word] as number) & (consuming[at] as number);
      const jumps = taken & (jumping[word] as number);
      const shifted = taken ^ jumps;
      following[word] = (following[word] as number) | (shifted >>> 1) | above;
      above = shifted << 31;
      alive |= taken;
      if (jumps !== 0) this.#jump(word << 5, jumps);
    }
    this.#current = following;
    this.#following = current;
    return alive !== 0;
  }

  #jump(first: number, jumps: number): void {
    for (let left = jumps; left !== 0; left &= left - 1) {
      const at = first + 31 - Math.clz32(left & -left);
      this.#enter(this.#next[at] as number, false);
    }
  }

  /** Activates what is reachable from a state without consuming a character: its epsilon closure. */
  #enter(from: number, atEnd: boolean): void {
    const { states } = this.#nfa;
    const stack = this.#stack;
    const visitedIn = this.#visitedIn;
    let depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
      const at = stack[--depth] as number;
      this.#visits += 1;
      if (visitedIn[at] === this.#step) continue;
      visitedIn[at] = this.#step;
      const state = states[at] as NfaState;
      if (state.kind === 'match') this.#isMatched = true;
      else if (state.kind === 'split') {
        stack[depth++] = state.other;
        stack[depth++] = state.next;
      } else if (state.kind === 'end' && atEnd) stack[depth++] = state.next;
      else if (state.kind !== 'start') setBit(this.#following, at);
    }
  }

  #matchesAtEnd(): boolean {
    this.#step += 1;
    for (const at of this.#endAnchors) {
      const isActive = ((this.#current[at >>> 5] as number) >>> (at & 31)) & 1;
      if (isActive) this.#enter(this.#next[at] as number, true);
    }
    return this.#isMatched;
  }
}

function setBit(vector: Int32Array, at: number): void {
  vector[at >>> 5] = (vector[at >>> 5] as number) | (1 << (at & 31));
}
