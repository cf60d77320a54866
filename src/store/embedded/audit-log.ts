/** The `audit` table of accounts.db. Triggers of the schema reject update, replacement and deletion. */
import { yieldIfIterationIsFull } from '../../concurrency/event-loop-slices.ts';
import {
  AuditChainCheck,
  type AuditHead,
  type AuditRow,
  auditSliceRows,
  entryOf,
  nextEntry,
  noHash,
} from '../account/audit-chain.ts';
import type { AuditCheck, AuditEntry, AuditEvent, AuditRange, Author } from '../account-store.ts';
import type { Database } from './database.ts';

export class AuditLog {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Must be called within the transaction of the change. */
  append(event: AuditEvent, author: Author): void {
    const hash = (this.#statements.lastHash.get() as Buffer | undefined) ?? noHash;
    const head: AuditHead = { number: this.#written(), hash };
    this.#statements.insert.run(nextEntry(head, event, author));
  }

  /** In slices: the entries of one actor may be few among many. */
  async list({ account, actor, kind, before = Number.MAX_SAFE_INTEGER, limit }: AuditRange) {
    const entries: AuditEntry[] = [];
    const statement = account === undefined ? this.#statements.all : this.#statements.ofAccount;
    for (let next = before; ; ) {
      await yieldIfIterationIsFull();
      const rows = statement.all({
        ...(account === undefined ? {} : { account }),
        before: next,
      }) as AuditRow[];
      for (const row of rows) {
        if (actor !== undefined && row.actor !== actor) continue;
        if (kind !== undefined && row.action !== kind && !row.action.startsWith(`${kind}.`)) continue;
        entries.push(entryOf(row));
        if (entries.length === limit) return entries;
      }
      const last = rows.at(-1);
      if (!last || rows.length < auditSliceRows) return entries;
      next = last.number;
    }
  }

  /** In slices. What is appended meanwhile is checked as well. */
  async check(account?: string): Promise<AuditCheck> {
    const check = new AuditChainCheck(account);
    for (;;) {
      await yieldIfIterationIsFull();
      const written = this.#written();
      const outcome = check.add(this.#statements.inOrder.all(check.last) as AuditRow[], written);
      if (outcome) return outcome;
    }
  }

  /** The greatest number ever assigned; SQLite stores it separately from the rows. */
  #written(): number {
    return (this.#statements.written.get() as number | undefined) ?? 0;
  }
}

function prepare(database: Database) {
  return {
    lastHash: database.prepare('select hash from audit order by number desc limit 1').pluck(),
    insert: database.prepare(
      'insert into audit values (:number, :at_ms, :actor, :action, :account, :username, :detail, :hash)',
    ),
    all: database.prepare(
      `select * from audit where number < :before order by number desc limit ${auditSliceRows}`,
    ),
    ofAccount: database.prepare(
      `select * from audit where account = :account and number < :before order by number desc limit ${auditSliceRows}`,
    ),
    inOrder: database.prepare(`select * from audit where number > ? order by number limit ${auditSliceRows}`),
    written: database.prepare("select seq from sqlite_sequence where name = 'audit'").pluck(),
  };
}
