/** Claims of ids that may be used a number of times until they expire, such as signatures. */
import { GroupedCalls } from '../../../concurrency/grouped-calls.ts';
import { ClaimExpiry } from '../../usage/claim-expiry.ts';
import type { Claim } from '../../usage-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { Sender } from './sender.ts';

/** Claims per call. */
const claimsMax = 500;
/** Claims deleted per statement, so that pruning never delays a request for long. */
const pruneBatch = 1000;

interface TimedClaim {
  readonly claims: readonly Claim[];
  readonly expiresMs: number;
  readonly nowMs: number;
}

export class Claims {
  readonly #database: PostgresDatabase;
  readonly #expiry: ClaimExpiry;
  readonly #sender = new Sender();
  readonly #calls: GroupedCalls<TimedClaim, boolean>;

  constructor(database: PostgresDatabase, monotonicMs: () => number) {
    this.#database = database;
    this.#expiry = new ClaimExpiry(monotonicMs);
    this.#calls = new GroupedCalls((group) => this.#send(group), claimsMax);
  }

  claim(claims: readonly Claim[], expiresMs: number, nowMs: number): Promise<boolean> {
    this.#expiry.noteClaim(expiresMs, nowMs);
    return this.#calls.call({ claims, expiresMs, nowMs });
  }

  async release(released: readonly Buffer[]): Promise<void> {
    const ids = released.map((id) => id.toString('hex'));
    await this.#database.write(async (sql) => {
      await sql`
        select from usage_claim where id in (select decode(id, 'hex') from unnest(${ids}::text[]) r (id))
        order by id for update`;
      await sql`
        update usage_claim c set uses = c.uses - r.uses
        from (select decode(id, 'hex') as id, count(*) as uses from unnest(${ids}::text[]) r (id) group by 1) r
        where c.id = r.id`;
      await sql`
        delete from usage_claim
        where id in (select decode(id, 'hex') from unnest(${ids}::text[]) r (id)) and uses < 1`;
    });
  }

  async prune(nowMs: number): Promise<void> {
    const expiredMs = this.#expiry.expiredBefore(nowMs);
    if (expiredMs === undefined) return;
    for (;;) {
      const deleted = await this.#database.read(
        (sql) => sql`
          delete from usage_claim where id in (
            select id from usage_claim where expires_ms <= ${expiredMs} order by id limit ${pruneBatch}
            for update skip locked)`,
      );
      if (deleted.count < pruneBatch) return;
    }
  }

  finish(): Promise<void> {
    return this.#calls.finish();
  }

  async #send(group: readonly TimedClaim[]): Promise<readonly boolean[]> {
    const number = this.#sender.nextNumber();
    const indexes = new Map<string, number>();
    const entries = group.flatMap(({ claims }) =>
      claims.map(({ id, usesMax }) => {
        const key = id.toString('hex');
        if (!indexes.has(key)) indexes.set(key, indexes.size + 1);
        return { index: indexes.get(key) as number, usesMax: Math.min(usesMax, Number.MAX_SAFE_INTEGER) };
      }),
    );
    const rows = await this.#database.read(
      (sql) => sql<{ outcome: readonly number[] }[]>`
        select usage_claim_uses(${this.#sender.id}, ${number}, ${[...indexes.keys()]}::text[],
          ${entries.map(({ index }) => index)}::int[], ${entries.map(({ usesMax }) => usesMax)}::bigint[],
          ${group.map(({ claims }) => claims.length)}::int[], ${group.map(({ expiresMs }) => expiresMs)}::bigint[],
          ${group.map(({ nowMs }) => nowMs)}::bigint[]) as outcome`,
    );
    return group.map((_, index) => rows[0]?.outcome[index] === 1);
  }
}
