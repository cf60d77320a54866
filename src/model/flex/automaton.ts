/**
 * Decides in one pass over a text. The deterministic automaton of a program is built as texts ask for it: a state is a
 * list of steps under way, and its row in a table says where each symbol leads. When the states have become too many, all
 * are forgotten but the one to go on from, so memory is bounded and a character costs at worst one walk over the program.
 */
import type { Program, Step } from './program.ts';

/** Entries of the table that are no states. A state is the place of its row in the table; no state has the first row. */
const unknown = 0;
const dead = -1;
const matched = -2;

const maxTableLength = 2 ** 18;
const maxStepsKept = 2 ** 18;

export class Automaton {
  readonly #program: Program;
  /** A row has an entry for each symbol and one more for the end of the text. */
  readonly #width: number;
  #table = new Int32Array(1024);
  #tableEnd = 0;
  /** The steps of each state, in the order of the rows, each as a character of a string: compact, and a key for a map. */
  #states: string[] = [];
  #stepsKept = 0;
  #known = new Map<string, number>();
  #initial = unknown;
  /** For each step the number of the last walk that came by; walks may be more than 32 bits can count. */
  readonly #visited: Float64Array;
  #walk = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#width = program.symbolCount + 1;
    this.#visited = new Float64Array(program.steps.length);
    this.#forget();
  }

  matches(text: string): boolean {
    const { symbols, symbolCount } = this.#program;
    const { length } = text;
    let state = this.#initial === unknown ? this.#begin() : this.#initial;
    let index = 0;
    while (state > 0) {
      const table = this.#table;
      let [symbol, next] = [symbolCount, unknown];
      // Nothing is called in this loop, so that the engine need not look after each character whether the table changed.
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
    const steps = this.#reach([this.#program.first], { atStart: true, atEnd: false });
    // Not to be found again: the same steps mean something else when they are reached later in a text.
    this.#initial = steps === undefined ? matched : this.#add(steps);
    return this.#initial;
  }

  #advance(state: number, symbol: number): number {
    const { steps, holds, symbolCount } = this.#program;
    const underWay = this.#states[state / this.#width] as string;
    const atEnd = symbol === symbolCount;
    const onward: number[] = [];
    for (let index = 0; index < underWay.length; index += 1) {
      const step = steps[underWay.charCodeAt(index)] as Step;
      const passes = step.kind === 'end' ? atEnd : !atEnd && holds[step.set * symbolCount + symbol] === 1;
      if (passes) onward.push(step.next);
    }
    const reached = this.#reach(onward, { atStart: atEnd && state === this.#initial, atEnd });
    if (reached === undefined) return this.#enter(state, symbol, matched);
    if (reached === '' || atEnd) return this.#enter(state, symbol, dead);
    const known = this.#known.get(reached);
    if (known !== undefined) return this.#enter(state, symbol, known);
    const isFull = this.#tableEnd + this.#width > maxTableLength || this.#stepsKept > maxStepsKept;
    if (isFull) this.#forget();
    const added = this.#add(reached);
    this.#known.set(reached, added);
    return isFull ? added : this.#enter(state, symbol, added);
  }

  #enter(state: number, symbol: number, next: number): number {
    this.#table[state + symbol] = next;
    return next;
  }

  #add(steps: string): number {
    const state = this.#tableEnd;
    this.#tableEnd += this.#width;
    if (this.#tableEnd > this.#table.length) {
      const table = new Int32Array(2 * this.#table.length);
      table.set(this.#table);
      this.#table = table;
    }
    this.#states.push(steps);
    this.#stepsKept += steps.length;
    return state;
  }

  #forget(): void {
    this.#table.fill(unknown);
    this.#tableEnd = this.#width;
    this.#states = [''];
    this.#stepsKept = 0;
    this.#known.clear();
    this.#initial = unknown;
  }

  /** All steps that wait for a character or for the end, coming from these; undefined where one of them is the match. */
  #reach(from: number[], place: { readonly atStart: boolean; readonly atEnd: boolean }): string | undefined {
    const { steps } = this.#program;
    const waiting: number[] = [];
    this.#walk += 1;
    for (let at = from.pop(); at !== undefined; at = from.pop()) {
      if (this.#visited[at] === this.#walk) continue;
      this.#visited[at] = this.#walk;
      const step = steps[at] as Step;
      if (step.kind === 'match') return undefined;
      const isPassed = step.kind === 'start' ? place.atStart : step.kind === 'end' && place.atEnd;
      if (step.kind === 'fork') from.push(step.other, step.next);
      else if (isPassed) from.push(step.next);
      else if (step.kind !== 'start') waiting.push(at);
    }
    return String.fromCharCode(...waiting);
  }
}
