/**
 * Errors of SQLite do not say which file they are about. Here every one gets the name of its file, and one that means damage becomes
 * `DamagedData`, whichever statement throws it. And every statement that writes is noted for the checkpoints of its connection.
 */
import { DamagedData } from '../damage.ts';
import type { Database, RunResult, Statement } from './database.ts';
import { LazyStatement } from './lazy-statement.ts';
import { noteWrite } from './page-checksums/checkpoints.ts';

const damageCodes = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_DATA|IOERR_CORRUPTFS)/;
const wrapped = new WeakSet<object>();
const noted = new WeakSet<object>();
const named = new WeakSet<Error>();

/** What a script may have written. */
const manyRows = 1000;

/** Runs work on a database, such as opening it, whose errors get its name. */
export function namingErrors<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw withFileName(error, file);
  }
}

/** From now on errors of all methods and statements of the database have its name. */
export function nameErrorsOf(database: Database): void {
  const { name: file } = database;
  const compile = database.prepare.bind(database) as (source: string) => Statement;
  const compileNaming = (source: string) => namingErrors(file, () => compile(source));
  const statement = compileNaming('select 1');
  Object.defineProperty(database, 'prepare', {
    value: (source: string) => new LazyStatement(database, source, compileNaming),
  });
  for (const method of ['exec', 'pragma'] as const) {
    const original = database[method] as (...args: unknown[]) => unknown;
    const naming = (...args: unknown[]) => {
      const result = namingErrors(file, () => original.apply(database, args));
      if (method === 'exec') noteWrite(database, manyRows);
      return result;
    };
    Object.defineProperty(database, method, { value: naming });
  }
  wrapMethods(statement, ['run', 'get', 'all', 'iterate'], (self) => self.database.name);
  noteWritesOf(statement);
  const rows = statement.iterate();
  wrapMethods(
    rows,
    ['next'],
    (self) => (self as unknown as { statement: typeof statement }).statement.database.name,
  );
  rows.return?.();
}

function noteWritesOf(example: Statement): void {
  const prototype = Object.getPrototypeOf(example) as Statement;
  if (noted.has(prototype)) return;
  noted.add(prototype);
  const original = Object.getOwnPropertyDescriptor(prototype, 'run')?.value as (
    ...args: unknown[]
  ) => RunResult;
  const noting = function (this: Statement, ...args: unknown[]) {
    const result = original.apply(this, args);
    noteWrite(this.database, result.changes);
    return result;
  };
  Object.defineProperty(prototype, 'run', { value: noting });
}

/** All statements share one prototype, which knows the database of each: so this happens once. */
function wrapMethods<Wrapped extends object>(
  example: Wrapped,
  methods: readonly (keyof Wrapped)[],
  fileOf: (self: Wrapped) => string,
): void {
  const prototype = Object.getPrototypeOf(example) as Wrapped;
  if (wrapped.has(prototype)) return;
  wrapped.add(prototype);
  for (const method of methods) {
    const original = prototype[method] as (...args: unknown[]) => unknown;
    const naming = function (this: Wrapped, ...args: unknown[]) {
      try {
        return original.apply(this, args);
      } catch (error) {
        throw withFileName(error, fileOf(this));
      }
    };
    Object.defineProperty(prototype, method, { value: naming });
  }
}

function withFileName(error: unknown, file: string): unknown {
  if (!isSqliteError(error) || named.has(error)) return error;
  named.add(error);
  if (damageCodes.test(error.code))
    return new DamagedData({ file, problem: error.message }, { cause: error });
  error.message = `${file}: ${error.message}`;
  return error;
}

function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === 'SqliteError';
}
