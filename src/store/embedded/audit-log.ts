/**
 * The `audit` table of accounts.db. Entries are numbered without gaps and form a hash chain: each hash covers the previous one, so that any
 * later modification, removal or truncation is detected. Triggers of the schema reject update, replacement and deletion.
 */
import { createHash } from 'node:crypto';
import type { AuditEntry, Author } from '../account-store.ts';
import type { Database } from './database.ts';

interface AuditRow {
  number: number;
  at_ms: number;
  actor: string;
  action: string;
  account: string;
  username: string | null;
  detail: string;
  hash: Buffer;
}

/** Must never contain a secret. */
export interface AuditEvent {
  readonly action: string;
  readonly account: string;
  readonly username?: string;
  readonly detail?: object;
}

const noHash: Buffer = Buffer.alloc(0);

export class AuditLog {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Must be called within the transaction of the change. */
  append({ action, account, username, detail = {} }: AuditEvent, author: Author): void {
    const last = this.#statements.last.get() as AuditRow | undefined;
    const row = {
      number: this.#written() + 1,
      at_ms: author.atMs,
      actor: author.actor,
      action,
      account,
      username: username ?? null,
      detail: JSON.stringify(detail),
    };
    this.#statements.insert.run({ ...row, hash: hashOf(last?.hash ?? noHash, row) });
  }

  list(range: { account?: string; before?: number; limit: number }): AuditEntry[] {
    const { account = null, before = Number.MAX_SAFE_INTEGER, limit } = range;
    const rows = this.#statements.list.all({ account, before, limit }) as AuditRow[];
    return rows.map((row) => ({
      number: row.number,
      atMs: row.at_ms,
      actor: row.actor,
      action: row.action,
      account: row.account,
      ...(row.username === null ? {} : { username: row.username }),
      detail: JSON.parse(row.detail) as Record<string, unknown>,
    }));
  }

  findBreak(): number | undefined {
    let previous = noHash;
    let last = 0;
    for (const row of this.#statements.inOrder.iterate() as IterableIterator<AuditRow>) {
      if (row.number !== last + 1) return last + 1;
      const hash = hashOf(previous, row);
      if (!hash.equals(row.hash)) return row.number;
      previous = hash;
      last = row.number;
    }
    return this.#written() > last ? last + 1 : undefined;
  }

  /** The greatest number ever assigned; SQLite stores it separately from the rows. */
  #written(): number {
    return (this.#statements.written.get() as number | undefined) ?? 0;
  }
}

function hashOf(previous: Buffer, row: Omit<AuditRow, 'hash'>): Buffer {
  const content = [row.number, row.at_ms, row.actor, row.action, row.account, row.username, row.detail];
  return createHash('sha256').update(previous).update(JSON.stringify(content)).digest();
}

function prepare(database: Database) {
  return {
    last: database.prepare('select * from audit order by number desc limit 1'),
    insert: database.prepare(
      'insert into audit values (:number, :at_ms, :actor, :action, :account, :username, :detail, :hash)',
    ),
    list: database.prepare(
      `select * from audit where (:account is null or account = :account) and number < :before
       order by number desc limit :limit`,
    ),
    inOrder: database.prepare('select * from audit order by number'),
    written: database.prepare("select seq from sqlite_sequence where name = 'audit'").pluck(),
  };
}
