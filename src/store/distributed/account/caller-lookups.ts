/**
 * Finds users by key or name. The database is asked at each request, because a key that was removed on one node must be dead on all of them at
 * once; lookups that arrive together are one question. An operator may choose to have answers remembered for some time, for which a dead key
 * then lives on other nodes.
 */
import { GroupedCalls } from '../../../concurrency/grouped-calls.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { type FoundCaller, readCallers } from './caller-queries.ts';

export type LookupColumn = 'key_digest' | 'batch_digest' | 'username';

interface Remembered {
  readonly found: FoundCaller;
  readonly untilMs: number;
}

/** Everything is forgotten when there are so many. */
const rememberedMax = 50_000;
const lookupsMax = 1000;

export class CallerLookups {
  readonly #database: PostgresDatabase;
  readonly #cacheMs: number;
  readonly #groups: Readonly<Record<LookupColumn, GroupedCalls<string, FoundCaller | undefined>>>;
  /** Only users that exist, so that guessed keys cannot fill it. */
  #remembered = new Map<string, Remembered>();

  constructor(database: PostgresDatabase, cacheMs: number) {
    this.#database = database;
    this.#cacheMs = cacheMs;
    const group = (column: LookupColumn) =>
      new GroupedCalls((values: readonly string[]) => this.#ask(column, values), lookupsMax);
    this.#groups = {
      key_digest: group('key_digest'),
      batch_digest: group('batch_digest'),
      username: group('username'),
    };
  }

  async find(column: LookupColumn, value: string): Promise<FoundCaller | undefined> {
    const remembered = this.#remembered.get(`${column} ${value}`);
    if (remembered && performance.now() < remembered.untilMs) return remembered.found;
    return this.#groups[column].call(value);
  }

  /** After each change by this node. An answer that is on its way is not remembered either. */
  forget(): void {
    this.#remembered = new Map();
  }

  async #ask(column: LookupColumn, values: readonly string[]): Promise<(FoundCaller | undefined)[]> {
    const remembered = this.#remembered;
    const untilMs = performance.now() + this.#cacheMs;
    const callers = await this.#database.read((sql) =>
      readCallers(sql, sql`select * from api_user where ${sql(column)} = any(${values}::text[])`),
    );
    if (remembered.size >= rememberedMax) remembered.clear();
    if (this.#cacheMs > 0)
      for (const found of callers) remembered.set(`${column} ${found.row[column]}`, { found, untilMs });
    const byValue = new Map(callers.map((caller) => [caller.row[column], caller]));
    return values.map((value) => byValue.get(value));
  }
}
