/** The update log: change data capture for consumers of records, who read it from the last id that they have processed. */
import type { DomainId, LoggedUpdate, RecordUpdate } from '../../domain-store.ts';
import type { LogPosition } from '../../paging/log-position.ts';
import type { Database } from '../database.ts';

interface LogRow extends Omit<LoggedUpdate, 'position' | 'fields'> {
  readonly id: number;
  readonly fields: string | null;
}

export class UpdateLog {
  readonly #put;
  readonly #list;
  readonly #anyBefore;
  readonly #prune;
  readonly #names;

  constructor(database: Database) {
    this.#put = database.prepare(
      'insert into update_log (domain_id, at_ms, written_ms, source, fields) values (?, ?, ?, ?, ?)',
    );
    this.#list = database.prepare(
      'select log.id, name as domain, at_ms as atMs, source, fields from update_log log ' +
        'join domain on domain.id = log.domain_id where log.id > ? order by log.id limit ?',
    );
    this.#anyBefore = database
      .prepare(
        'select exists (select 1 from (select written_ms from update_log order by id limit :limit) ' +
          'where written_ms < :beforeMs)',
      )
      .pluck();
    this.#prune = database.prepare(
      'delete from update_log where written_ms < ? and id in (select id from update_log ' +
        'where id < (select max(id) from update_log) order by id limit ?)',
    );
    this.#names = database.prepare('select id, name from domain where id > ? order by id limit ?');
  }

  /** Within the caller's transaction. */
  append(
    id: DomainId,
    { seenMs, source }: Pick<RecordUpdate, 'seenMs' | 'source'>,
    writtenMs: number,
    fields: readonly string[] | undefined,
  ): void {
    this.#put.run(id, seenMs, writtenMs, source, fields === undefined ? null : JSON.stringify(fields));
  }

  list(after: LogPosition, limit: number): readonly LoggedUpdate[] {
    const rows = this.#list.all(Number(after), limit) as LogRow[];
    return rows.map(({ id, fields, ...row }) => ({
      ...row,
      position: String(id),
      fields: fields === null ? undefined : (JSON.parse(fields) as string[]),
    }));
  }

  /** Whether one of the oldest rows may be pruned. */
  hasBefore(beforeMs: number, limit: number): boolean {
    return this.#anyBefore.get({ beforeMs, limit }) === 1;
  }

  /** Removes at most `limit` of the oldest rows; gives the number removed. */
  prune(beforeMs: number, limit: number): number {
    return this.#prune.run(beforeMs, limit).changes;
  }

  listNames(after: LogPosition, limit: number): { names: readonly string[]; position: LogPosition } {
    const rows = this.#names.all(Number(after), limit) as { id: number; name: string }[];
    return { names: rows.map(({ name }) => name), position: String(rows.at(-1)?.id ?? after) };
  }
}
