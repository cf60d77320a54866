/**
 * The hash chain of the audit log. Entries are numbered without gaps, and each hash covers the previous one, so that any later modification,
 * removal or truncation is detected.
 */
import { createHash } from 'node:crypto';
import type { AuditCheck, AuditEntry, AuditEvent, Author } from '../account-store.ts';

export interface AuditRow {
  number: number;
  at_ms: number;
  actor: string;
  action: string;
  account: string;
  username: string | null;
  /** JSON, as it was hashed. */
  detail: string;
  hash: Buffer;
}

/** The newest entry ever written. */
export type AuditHead = Readonly<Pick<AuditRow, 'number' | 'hash'>>;

/** Rows that are read at once: about a millisecond of filtering or hashing. */
export const auditSliceRows = 250;

export const noHash: Buffer = Buffer.alloc(0);

export function nextEntry(head: AuditHead, event: AuditEvent, author: Author): AuditRow {
  const { action, account, username, detail = {} } = event;
  const row = {
    number: head.number + 1,
    at_ms: author.atMs,
    actor: author.actor,
    action,
    account,
    username: username ?? null,
    detail: JSON.stringify(detail),
  };
  return { ...row, hash: hashOf(head.hash, row) };
}

export function entryOf(row: AuditRow): AuditEntry {
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

/** Verifies the chain from its beginning, in slices of the log; counts the entries of one account, or all. */
export class AuditChainCheck {
  readonly #account: string | undefined;
  #previous = noHash;
  #last = 0;
  #checked = 0;

  constructor(account: string | undefined) {
    this.#account = account;
  }

  /** The number of the last entry that was right. */
  get last(): number {
    return this.#last;
  }

  /** The rows after `last`, and the number of the newest entry as it was before they were read. Returns the outcome once there is one. */
  add(rows: readonly AuditRow[], newest: number): AuditCheck | undefined {
    for (const row of rows) {
      if (row.number !== this.#last + 1) return this.#broken();
      const hash = hashOf(this.#previous, row);
      if (!hash.equals(row.hash)) return this.#broken();
      if (this.#account === undefined || row.account === this.#account) this.#checked += 1;
      this.#previous = hash;
      this.#last = row.number;
    }
    if (rows.length === auditSliceRows) return undefined;
    return newest > this.#last ? this.#broken() : { checked: this.#checked };
  }

  #broken(): AuditCheck {
    return { checked: this.#checked, brokenAt: this.#last + 1 };
  }
}

function hashOf(previous: Buffer, row: Omit<AuditRow, 'hash'>): Buffer {
  const content = [row.number, row.at_ms, row.actor, row.action, row.account, row.username, row.detail];
  return createHash('sha256').update(previous).update(JSON.stringify(content)).digest();
}
