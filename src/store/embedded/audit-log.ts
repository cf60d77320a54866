/**
 * The `audit` table of accounts.db. Entries are numbered without gaps and form a hash chain: each hash covers the previous one, so that any
 * later modification, removal or truncation is detected. Triggers of the schema reject update, replacement and deletion.
 */
import { createHash } from 'node:crypto';
import { yieldIfIterationIsFull } from '../../concurrency/event-loop-slices.ts';
import type { AuditCheck, AuditEntry, AuditEvent, AuditRange, Author } from '../account-store.ts';
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

/** Rows that are read at once: about a millisecond of filtering or hashing. */
const sliceRows = 250;

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
      if (!last || rows.length < sliceRows) return entries;
      next = last.number;
    }
  }

  /** In slices. What is appended meanwhile is checked as well. */
  async check(account?: string): Promise<AuditCheck> {
    let previous = noHash;
    let last = 0;
    let checked = 0;
    for (;;) {
      await yieldIfIterationIsFull();
      const written = this.#written();
      const rows = this.#statements.inOrder.all(last) as AuditRow[];
      for (const row of rows) {
        if (row.number !== last + 1) return { checked, brokenAt: last + 1 };
        const hash = hashOf(previous, row);
        if (!hash.equals(row.hash)) return { checked, brokenAt: row.number };
        if (account === undefined || row.account === account) checked += 1;
        previous = hash;
        last = row.number;
      }
      if (rows.length < sliceRows) return written > last ? { checked, brokenAt: last + 1 } : { checked };
    }
  }

  /** The greatest number ever assigned; SQLite stores it separately from the rows. */
  #written(): number {
    return (this.#statements.written.get() as number | undefined) ?? 0;
  }
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    number: row.number,
    atMs: row.at_ms,
    actor: row.actor,
    action: row.action,
    account: row.account,
    ...(row.username === null ? {} : { username: row.username }),
    detail: JSON.parse(row.detail) as Record<string, unknown>,
  };
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
    all: database.prepare(
      `select * from audit where number < :before order by number desc limit ${sliceRows}`,
    ),
    ofAccount: database.prepare(
      `select * from audit where account = :account and number < :before order by number desc limit ${sliceRows}`,
    ),
    inOrder: database.prepare(`select * from audit where number > ? order by number limit ${sliceRows}`),
    written: database.prepare("select seq from sqlite_sequence where name = 'audit'").pluck(),
  };
}
