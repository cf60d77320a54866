/**
 * A statement that SQLite compiles with its first use. The stores have some hundred statements each; a process uses few of them, and
 * compiling all of them was a third of what opening the stores cost.
 */
import type { Database, RunResult, Statement } from './database.ts';

/** How results are given, as methods of a statement set it. */
type Form = 'pluck' | 'raw' | 'safeIntegers';

export class LazyStatement {
  readonly database: Database;
  readonly source: string;
  readonly #compile: (source: string) => Statement;
  readonly #forms: Form[] = [];
  #compiled: Statement | undefined;

  constructor(database: Database, source: string, compile: (source: string) => Statement) {
    this.database = database;
    this.source = source;
    this.#compile = compile;
  }

  run(...values: unknown[]): RunResult {
    return (this.#compiled ?? this.#made()).run(...values);
  }

  get(...values: unknown[]): unknown {
    return (this.#compiled ?? this.#made()).get(...values);
  }

  all(...values: unknown[]): unknown[] {
    return (this.#compiled ?? this.#made()).all(...values);
  }

  iterate(...values: unknown[]): IterableIterator<unknown> {
    return (this.#compiled ?? this.#made()).iterate(...values);
  }

  pluck(): this {
    return this.#as('pluck');
  }

  raw(): this {
    return this.#as('raw');
  }

  safeIntegers(): this {
    return this.#as('safeIntegers');
  }

  #as(form: Form): this {
    if (this.#compiled) this.#compiled[form]();
    else this.#forms.push(form);
    return this;
  }

  #made(): Statement {
    const compiled = this.#compile(this.source);
    for (const form of this.#forms) compiled[form]();
    this.#compiled = compiled;
    return compiled;
  }
}
