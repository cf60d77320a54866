/** The history of records, and the update log, which followers of records read by position. */
import type { MemberChange } from '../../domain/record-update.ts';
import type { DomainId, DomainStore, FieldChange, LoggedUpdate, RecordUpdate } from '../../domain-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import type { RecordNumbers } from './record-state.ts';

/** Updates that one statement prunes. */
const pruneBatchSize = 10_000;

/** Collects the entries of one transaction; they are numbered in the order in which they come. */
export class LogChanges {
  readonly #changes: (MemberChange & { readonly id: DomainId; readonly update: RecordUpdate })[] = [];
  readonly #updates: {
    readonly id: DomainId;
    readonly update: RecordUpdate;
    readonly fields: string | null;
  }[] = [];

  /** `changes` is undefined where the record is new. */
  add(id: DomainId, update: RecordUpdate, changes: readonly MemberChange[] | undefined): void {
    for (const change of changes ?? []) this.#changes.push({ ...change, id, update });
    const fields = changes && `{${changes.map(({ field }) => field).join()}}`;
    this.#updates.push({ id, update, fields: fields ?? null });
  }

  /** Moves the numbers on. */
  async flush(sql: Transaction, numbers: RecordNumbers, nowMs: number): Promise<void> {
    const [firstChange, firstUpdate] = [numbers.changeId + 1, numbers.updateId + 1];
    numbers.changeId += this.#changes.length;
    numbers.updateId += this.#updates.length;
    await Promise.all([this.#putChanges(sql, firstChange), this.#putUpdates(sql, firstUpdate, nowMs)]);
  }

  async #putChanges(sql: Transaction, first: number): Promise<void> {
    const changes = this.#changes;
    if (changes.length === 0) return;
    await sql`insert into record_change (id, domain_id, at_ms, field, before, after, source)
      select * from unnest(${changes.map((_, at) => first + at)}::bigint[], ${changes.map(({ id }) => id)}::int[],
        ${changes.map(({ update }) => update.seenMs)}::bigint[], ${changes.map(({ field }) => field)}::text[],
        ${changes.map(({ previous }) => previous)}::text[], ${changes.map(({ current }) => current)}::text[],
        ${changes.map(({ update }) => update.source)}::text[])`;
  }

  async #putUpdates(sql: Transaction, first: number, nowMs: number): Promise<void> {
    const updates = this.#updates;
    if (updates.length === 0) return;
    await sql`insert into record_update (id, domain_id, at_ms, written_ms, source, fields)
      select id, domain_id, at_ms, ${nowMs}, source, fields::text[]
      from unnest(${updates.map((_, at) => first + at)}::bigint[], ${updates.map(({ id }) => id)}::int[],
        ${updates.map(({ update }) => update.seenMs)}::bigint[], ${updates.map(({ update }) => update.source)}::text[],
        ${updates.map(({ fields }) => fields)}::text[]) as given (id, domain_id, at_ms, source, fields)`;
  }
}

/** An entry of the log of a shard, with its number there. */
export type ShardUpdate = Omit<LoggedUpdate, 'position'> & { readonly id: number };

type Page = Parameters<DomainStore['listChanges']>[1];

interface ChangeRow {
  readonly id: number;
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly atMs: number;
  readonly source: string;
}

export class RecordLog {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async listChanges(domain: string, page: Page): Promise<readonly FieldChange[]> {
    const { beforeMs = Number.MAX_SAFE_INTEGER, beforeId = 0, limit } = page;
    const rows = await this.#database.read(
      (sql) => sql<ChangeRow[]>`
        select id, field, before, after, at_ms as "atMs", source from record_change
        where domain_id = (select id from record_domain where name = ${domain})
          and (at_ms, id) < (${beforeMs}::bigint, ${beforeId}::bigint)
        order by at_ms desc, id desc limit ${limit}`,
    );
    return rows.map(({ before, after, ...row }) => ({
      ...row,
      domain,
      before: before === null ? undefined : JSON.parse(before),
      after: after === null ? undefined : JSON.parse(after),
    }));
  }

  async listUpdates(after: number, limit: number): Promise<readonly ShardUpdate[]> {
    const rows = await this.#database.read(
      (sql) => sql<(Omit<LoggedUpdate, 'position' | 'fields'> & { id: number; fields: string[] | null })[]>`
        select log.id, name as domain, at_ms as "atMs", source, fields
        from record_update log join record_domain on record_domain.id = log.domain_id
        where log.id > ${after} order by log.id limit ${limit}`,
    );
    return rows.map(({ fields, ...row }) => ({ ...row, fields: fields ?? undefined }));
  }

  async prune(beforeMs: number): Promise<void> {
    for (let removed = pruneBatchSize; removed === pruneBatchSize; ) {
      const result = await this.#database.writeRepeatable(
        (sql) => sql`delete from record_update where written_ms < ${beforeMs}
          and id in (select id from record_update order by id limit ${pruneBatchSize})`,
      );
      removed = result.count;
    }
  }

  listNames(after: number, limit: number): Promise<readonly { id: DomainId; name: string }[]> {
    return this.#database.read(
      (sql) => sql<{ id: DomainId; name: string }[]>`
        select id, name from record_domain where id > ${after} order by id limit ${limit}`,
    );
  }
}
