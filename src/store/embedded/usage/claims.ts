/** Claims of ids that may be used a number of times until they expire, such as signatures. */
import { ClaimExpiry } from '../../usage/claim-expiry.ts';
import type { Claim } from '../../usage-store.ts';
import { type Database, write } from '../database.ts';

/** Claims deleted per transaction, so that pruning never delays a request for long. */
const pruneBatch = 1000;
export class Claims {
  readonly #database: Database;
  readonly #expiry: ClaimExpiry;
  readonly #claim;
  readonly #uses;
  readonly #release;
  readonly #deleteUnused;
  readonly #deleteExpired;
  readonly #prune;

  constructor(database: Database, monotonicMs: () => number) {
    this.#database = database;
    this.#expiry = new ClaimExpiry(monotonicMs);
    this.#claim = database.prepare(
      `insert into claim (id, expires_ms, uses) values (?, ?, 1)
       on conflict (id) do update set uses = uses + 1, expires_ms = max(expires_ms, excluded.expires_ms)`,
    );
    this.#uses = database.prepare('select uses from claim where id = ?').pluck();
    this.#release = database.prepare('update claim set uses = uses - 1 where id = ?');
    this.#deleteUnused = database.prepare('delete from claim where id = ? and uses < 1');
    this.#deleteExpired = database.prepare('delete from claim where id = ? and expires_ms <= ?');
    this.#prune = database.prepare(
      'delete from claim where id in (select id from claim where expires_ms <= ? limit ?)',
    );
  }

  /** Within a write transaction. */
  claim(claims: readonly Claim[], expiresMs: number, nowMs: number): boolean {
    this.#expiry.noteClaim(expiresMs, nowMs);
    for (const { id } of claims) this.#deleteExpired.run(id, nowMs);
    const isUsedUp = ({ id, usesMax }: Claim) => ((this.#uses.get(id) as number | undefined) ?? 0) >= usesMax;
    if (claims.some(isUsedUp)) return false;
    for (const { id } of claims) this.#claim.run(id, expiresMs);
    return true;
  }

  /** Within a write transaction. */
  release(ids: readonly Buffer[]): void {
    for (const id of ids) {
      this.#release.run(id);
      this.#deleteUnused.run(id);
    }
  }

  async prune(nowMs: number): Promise<void> {
    const earliestMs = this.#expiry.expiredBefore(nowMs);
    if (earliestMs === undefined) return;
    for (;;) {
      const { changes } = await write(this.#database, () => this.#prune.run(earliestMs, pruneBatch));
      if (changes < pruneBatch) return;
    }
  }
}
