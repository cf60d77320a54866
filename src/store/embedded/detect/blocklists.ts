/** The domains that an account has escalated as blocked, with the version of that list and the edition of its links. */
import type { Database } from '../database.ts';

export class Blocklists {
  readonly #names;
  readonly #version;
  readonly #edition;
  readonly #raise;
  readonly #renew;
  readonly #blockedBy;

  constructor(database: Database) {
    this.#names = database.prepare(
      `select name as domain, created_ms as sinceMs from escalation
       where account = ? and type = 'blocked' and name > ? order by name limit ?`,
    );
    this.#version = database.prepare('select version from blocklist where account = ?').pluck();
    this.#edition = database.prepare('select edition from blocklist where account = ?').pluck();
    this.#raise = database.prepare(
      `insert into blocklist (account, version) values (?, 1) on conflict do update set version = version + 1`,
    );
    this.#renew = database.prepare(
      `insert into blocklist (account, edition) values (?, 2) on conflict do update set edition = edition + 1`,
    );
    this.#blockedBy = database
      .prepare("select account from escalation where domain = ? and type = 'blocked'")
      .pluck();
  }

  list(accountId: string, after: string, limit: number) {
    return this.#names.all(accountId, after, limit) as { domain: string; sinceMs: number }[];
  }

  version(accountId: string): number {
    return (this.#version.get(accountId) as number | undefined) ?? 0;
  }

  edition(accountId: string): number {
    return (this.#edition.get(accountId) as number | undefined) ?? 1;
  }

  raiseVersion(accountId: string): void {
    this.#raise.run(accountId);
  }

  /** Must be called before the escalations of a domain are removed. */
  raiseVersionFor(domain: number): void {
    const accountId = this.#blockedBy.get(domain) as string | undefined;
    if (accountId !== undefined) this.raiseVersion(accountId);
  }

  renew(accountId: string): number {
    this.#renew.run(accountId);
    return this.edition(accountId);
  }
}
