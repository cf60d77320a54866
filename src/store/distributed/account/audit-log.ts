/**
 * The audit log in PostgreSQL, and the transactions that write to it. The head of the log is locked first, so that the changes of all nodes
 * happen one after the other: what one has read, no other changes before it is committed.
 */
import { yieldIfIterationIsFull } from '../../../concurrency/event-loop-slices.ts';
import { Mutex } from '../../../concurrency/mutex.ts';
import {
  AuditChainCheck,
  type AuditHead,
  type AuditRow,
  auditSliceRows,
  entryOf,
  nextEntry,
} from '../../account/audit-chain.ts';
import type { AuditCheck, AuditEntry, AuditEvent, AuditRange, Author } from '../../account-store.ts';
import type { Fragment, PostgresDatabase, Sql, Transaction } from '../postgres/database.ts';

/**
 * Changes of this node wait for each other here, not each with a connection for the lock: they would leave none to those who only read. Of
 * each database, whose stores share it.
 */
const mutexes = new WeakMap<PostgresDatabase, Mutex>();

/** Adds an entry to the log; it is written at the end of the transaction. */
export type Append = (event: AuditEvent, author: Author) => void;

export class AuditLog {
  readonly #database: PostgresDatabase;
  readonly #mutex: Mutex;

  constructor(database: PostgresDatabase) {
    this.#database = database;
    this.#mutex = mutexes.get(database) ?? new Mutex();
    mutexes.set(database, this.#mutex);
  }

  change<Result>(work: (sql: Transaction, append: Append) => Promise<Result>): Promise<Result> {
    return this.#mutex.runExclusive(() => this.#write(work));
  }

  #write<Result>(work: (sql: Transaction, append: Append) => Promise<Result>): Promise<Result> {
    return this.#database.write(async (sql) => {
      const [head] = await sql<AuditHead[]>`select number, hash from audit_head for update`;
      if (!head) throw new Error('the table audit_head is empty');
      const entries: AuditRow[] = [];
      const result = await work(sql, (event, author) => {
        entries.push(nextEntry(entries.at(-1) ?? head, event, author));
      });
      await insertEntries(sql, entries);
      return result;
    });
  }

  async list(range: AuditRange): Promise<readonly AuditEntry[]> {
    const { account, actor, kind, before = Number.MAX_SAFE_INTEGER, limit } = range;
    const rows = await this.#database.read(
      (sql) => sql<AuditRow[]>`
        select * from audit where number < ${before}
          ${account === undefined ? sql`` : sql`and account = ${account}`}
          ${actor === undefined ? sql`` : sql`and actor = ${actor}`}
          ${kind === undefined ? sql`` : ofKind(sql, kind)}
        order by number desc limit ${limit}`,
    );
    return rows.map(entryOf);
  }

  /** In slices. What is appended meanwhile is checked as well. */
  async check(account?: string): Promise<AuditCheck> {
    const check = new AuditChainCheck(account);
    for (;;) {
      await yieldIfIterationIsFull();
      const outcome = await this.#database.read(async (sql) => {
        const [head] = await sql<AuditHead[]>`select number, hash from audit_head`;
        const rows = await sql<AuditRow[]>`
          select * from audit where number > ${check.last} order by number limit ${auditSliceRows}`;
        return check.add(rows, head?.number ?? 0);
      });
      if (outcome) return outcome;
    }
  }
}

/** The first part of the action, by which the log is indexed, and then all that is given of it. */
function ofKind(sql: Sql, kind: string): Fragment {
  const [first = ''] = kind.split('.', 1);
  return sql`and split_part(action, '.', 1) = ${first} and (action = ${kind} or starts_with(action, ${`${kind}.`}))`;
}

async function insertEntries(sql: Transaction, entries: readonly AuditRow[]): Promise<void> {
  const last = entries.at(-1);
  if (!last) return;
  await sql`with added as (insert into audit ${sql(entries)})
    update audit_head set number = ${last.number}, hash = ${last.hash}`;
}
