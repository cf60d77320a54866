/**
 * Matches a text in time linear in its length, whatever the pattern: a DFA built lazily from the NFA by the subset
 * construction, as in RE2 (Cox 2010, https://swtch.com/~rsc/regexp/regexp3.html). A DFA state is a set of NFA states, and its
 * row in the transition table is filled in as texts reach it. When the cached states exceed a bound, all are dropped and the
 * search resumes from the current one, so memory is bounded. Where most characters needed a new state, the cache is of no use for this
 * pattern: from then on the NFA is simulated.
 */
import { BitParallelNfa } from './bit-parallel-nfa.ts';
import type { PatternMatcher } from './pattern-matcher.ts';
import type { Nfa, NfaState } from './thompson-nfa.ts';

/** Transitions that are not states. A state is the index of its row in the table; no state has the first row. */
const unknown = 0;
const dead = -1;
const matched = -2;
/** The simulation of the NFA decides the rest of the text. */
const simulated = -3;

/** Bounds both the transitions and the NFA states of all DFA states. */
const usualCacheMax = 2 ** 17;
const tableLengthMin = 1024;
/** A cache whose states were each used less often than this costs more than it saves (as in RE2). */
const usesPerStateMin = 10;
/** Adding an NFA state to a DFA state takes this many times as long as visiting it in a simulation. */
const workPerNfaState = 8;

export class LazyDfa implements PatternMatcher {
  readonly #nfa: Nfa;
  readonly #cacheMax: number;
  /** A row has a transition for each symbol and one for the end of the text. */
  readonly #width: number;
  #table = new Int32Array(tableLengthMin);
  #tableEnd = 0;
  /** The NFA states of each row, each as one character of a string: compact, and usable as a map key. */
  #nfaStates: string[] = [];
  #nfaStatesCached = 0;
  #rowOf = new Map<string, number>();
  #initial = unknown;
  /** For each NFA state the closure that visited it last; the count of closures may exceed 32 bits. */
  readonly #visitedBy: Float64Array;
  #closures = 0;
  readonly #closure: Uint16Array;
  #text: Uint8Array = new Uint8Array(0);
  #length = 0;
  #index = 0;
  #state = unknown;
  /** Characters of all texts, counted when a text ends, and of those when the cache was last dropped. */
  #characters = 0;
  #charactersAtDrop = 0;
  #work = 0;
  #simulation: BitParallelNfa | undefined;

  constructor(nfa: Nfa, cacheMax = usualCacheMax) {
    this.#nfa = nfa;
    this.#cacheMax = cacheMax;
    this.#width = nfa.symbolCount + 1;
    this.#visitedBy = new Float64Array(nfa.states.length);
    this.#closure = new Uint16Array(nfa.states.length);
    this.#dropStates();
  }

  begin(text: Uint8Array, length: number): void {
    this.#characters += this.#index;
    this.#text = text;
    this.#length = length;
    this.#index = 0;
    this.#state = unknown;
    // The anchors of an empty text hold at once, which the simulation does not provide for.
    if (this.#simulation && length > 0) {
      const closure = this.#closureOf([this.#nfa.first], { atStart: true, atEnd: false });
      this.#state = closure === undefined ? matched : this.#simulate(closure);
    }
  }

  resume(workMax: number): boolean | undefined {
    if (this.#state === simulated) return this.#simulation?.resume(workMax);
    const { symbols, symbolCount } = this.#nfa;
    const text = this.#text;
    const length = this.#length;
    let state = this.#state === unknown ? this.#initialState() : this.#state;
    let index = this.#index;
    this.#work = 0;
    while (state > 0) {
      const table = this.#table;
      let [symbol, next] = [symbolCount, unknown];
      // No calls in this loop, so that the JIT compiler need not reload the table for every character.
      for (; index < length; index += 1) {
        const code = text[index] as number;
        symbol = symbols[code < 128 ? code : 128] as number;
        next = table[state + symbol] as number;
        if (next <= 0) break;
        state = next;
      }
      if (index >= length) {
        symbol = symbolCount;
        next = table[state + symbol] as number;
      }
      this.#index = index;
      if (next === unknown) {
        this.#state = state;
        if (this.#work > workMax) return undefined;
        next = this.#advance(state, symbol);
        if (next === simulated) {
          this.#state = simulated;
          return this.#simulation?.resume(workMax - this.#work);
        }
      }
      state = next;
      index += 1;
    }
    this.#state = state;
    return state === matched;
  }

  dropCache(): void {
    const current = this.#state > 0 ? (this.#nfaStates[this.#state / this.#width] as string) : undefined;
    const isInitial = this.#state === this.#initial;
    this.#table = new Int32Array(tableLengthMin);
    this.#dropStates();
    if (current !== undefined) this.#state = isInitial ? unknown : this.#addNamed(current);
  }

  #initialState(): number {
    if (this.#initial !== unknown) return this.#initial;
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
    this.#work += workPerNfaState * (current.length + (reached?.length ?? 0) + 1);
    if (reached === undefined) return this.#setTransition(state, symbol, matched);
    if (reached === '' || atEnd) return this.#setTransition(state, symbol, dead);
    const known = this.#rowOf.get(reached);
    if (known !== undefined) return this.#setTransition(state, symbol, known);
    const isFull = this.#tableEnd + this.#width > this.#cacheMax || this.#nfaStatesCached > this.#cacheMax;
    if (!isFull) return this.#setTransition(state, symbol, this.#addNamed(reached));
    const characters = this.#characters + this.#index;
    const isUseless = characters - this.#charactersAtDrop < usesPerStateMin * this.#nfaStates.length;
    this.#charactersAtDrop = characters;
    if (!isUseless) {
      this.#dropStates();
      return this.#addNamed(reached);
    }
    this.#simulation = new BitParallelNfa(this.#nfa);
    this.dropCache();
    this.#index += 1;
    return this.#simulate(reached);
  }

  #simulate(nfaStates: string): number {
    this.#simulation?.begin(
      this.#text,
      this.#length,
      this.#index,
      Array.from(nfaStates, (char) => char.charCodeAt(0)),
    );
    return simulated;
  }

  #setTransition(state: number, symbol: number, next: number): number {
    this.#table[state + symbol] = next;
    return next;
  }

  #addNamed(closure: string): number {
    const added = this.#add(closure);
    this.#rowOf.set(closure, added);
    return added;
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

  #dropStates(): void {
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
    const closure = this.#closure;
    let size = 0;
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
      else if (nfaState.kind !== 'start') closure[size++] = at;
    }
    // In order, so that a set of NFA states is one DFA state, however it was reached.
    return String.fromCharCode(...closure.subarray(0, size).sort());
  }
}
