/**
 * Matches a text in time linear in its length, whatever the pattern: a DFA built lazily from the NFA by the subset
 * construction, as in RE2 (Cox 2010, https://swtch.com/~rsc/regexp/regexp3.html). A DFA state is a set of NFA states, and its
 * row in the transition table is filled in as texts reach it. When the cached states exceed a bound, all are dropped and the
 * search resumes from the current one; so memory is bounded, and a character costs at worst one pass over the NFA.
 */
import type { Nfa, NfaState } from './thompson-nfa.ts';

/** Transitions that are not states. A state is the index of its row in the table; no state has the first row. */
const unknown = 0;
const dead = -1;
const matched = -2;

const maxTableLength = 2 ** 18;
const maxNfaStatesCached = 2 ** 18;

export class LazyDfa {
  readonly #nfa: Nfa;
  /** A row has a transition for each symbol and one for the end of the text. */
  readonly #width: number;
  #table = new Int32Array(1024);
  #tableEnd = 0;
  /** The NFA states of each row, each as one character of a string: compact, and usable as a map key. */
  #nfaStates: string[] = [];
  #nfaStatesCached = 0;
  #rowOf = new Map<string, number>();
  #initial = unknown;
  /** For each NFA state the closure that visited it last; the count of closures may exceed 32 bits. */
  readonly #visitedBy: Float64Array;
  #closures = 0;

  constructor(nfa: Nfa) {
    this.#nfa = nfa;
    this.#width = nfa.symbolCount + 1;
    this.#visitedBy = new Float64Array(nfa.states.length);
    this.#dropCache();
  }

  matches(text: string): boolean {
    const { symbols, symbolCount } = this.#nfa;
    const { length } = text;
    let state = this.#initial === unknown ? this.#begin() : this.#initial;
    let index = 0;
    while (state > 0) {
      const table = this.#table;
      let [symbol, next] = [symbolCount, unknown];
      // No calls in this loop, so that the JIT compiler need not reload the table for every character.
      for (; index < length; index += 1) {
        const code = text.charCodeAt(index);
        symbol = symbols[code < 128 ? code : 128] as number;
        next = table[state + symbol] as number;
        if (next <= 0) break;
        state = next;
      }
      if (index >= length) {
        symbol = symbolCount;
        next = table[state + symbol] as number;
      }
      state = next === unknown ? this.#advance(state, symbol) : next;
      index += 1;
    }
    return state === matched;
  }

  #begin(): number {
    const closure = this.#closureOf([this.#nfa.first], { atStart: true, atEnd: false });
    // Not in the map: reached later in a text, the same NFA states are another DFA state, since `^` no longer holds.
    this.#initial = closure === undefined ? matched : this.#add(closure);
    return this.#initial;
  }

  #advance(state: number, symbol: number): number {
    const { states, contains, symbolCount } = this.#nfa;
    const current = this.#nfaStates[state / this.#width] as string;
    const atEnd = symbol === symbolCount;
    const successors: number[] = [];
    for (let index = 0; index < current.length; index += 1) {
      const nfaState = states[current.charCodeAt(index)] as NfaState;
      const isTaken =
        nfaState.kind === 'end' ? atEnd : !atEnd && contains[nfaState.set * symbolCount + symbol] === 1;
      if (isTaken) successors.push(nfaState.next);
    }
    const reached = this.#closureOf(successors, { atStart: atEnd && state === this.#initial, atEnd });
    if (reached === undefined) return this.#setTransition(state, symbol, matched);
    if (reached === '' || atEnd) return this.#setTransition(state, symbol, dead);
    const known = this.#rowOf.get(reached);
    if (known !== undefined) return this.#setTransition(state, symbol, known);
    const isFull =
      this.#tableEnd + this.#width > maxTableLength || this.#nfaStatesCached > maxNfaStatesCached;
    if (isFull) this.#dropCache();
    const added = this.#add(reached);
    this.#rowOf.set(reached, added);
    return isFull ? added : this.#setTransition(state, symbol, added);
  }

  #setTransition(state: number, symbol: number, next: number): number {
    this.#table[state + symbol] = next;
    return next;
  }

  #add(closure: string): number {
    const state = this.#tableEnd;
    this.#tableEnd += this.#width;
    if (this.#tableEnd > this.#table.length) {
      const table = new Int32Array(2 * this.#table.length);
      table.set(this.#table);
      this.#table = table;
    }
    this.#nfaStates.push(closure);
    this.#nfaStatesCached += closure.length;
    return state;
  }

  #dropCache(): void {
    this.#table.fill(unknown);
    this.#tableEnd = this.#width;
    this.#nfaStates = [''];
    this.#nfaStatesCached = 0;
    this.#rowOf.clear();
    this.#initial = unknown;
  }

  /** The epsilon closure: all NFA states reachable without consuming a character; undefined if one of them is a match. */
  #closureOf(
    from: number[],
    position: { readonly atStart: boolean; readonly atEnd: boolean },
  ): string | undefined {
    const { states } = this.#nfa;
    const closure: number[] = [];
    this.#closures += 1;
    for (let at = from.pop(); at !== undefined; at = from.pop()) {
      if (this.#visitedBy[at] === this.#closures) continue;
      this.#visitedBy[at] = this.#closures;
      const nfaState = states[at] as NfaState;
      if (nfaState.kind === 'match') return undefined;
      const isPassed =
        nfaState.kind === 'start' ? position.atStart : nfaState.kind === 'end' && position.atEnd;
      if (nfaState.kind === 'split') from.push(nfaState.other, nfaState.next);
      else if (isPassed) from.push(nfaState.next);
      else if (nfaState.kind !== 'start') closure.push(at);
    }
    return String.fromCharCode(...closure);
  }
}
