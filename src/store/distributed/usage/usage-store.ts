/**
 * Usage, on a pool of its own: its commits need not be on disk when they are acknowledged. Charges that arrive in one iteration of the event
 * loop are one call of a function in the database, which locks the counters, decides and counts: no lock waits for a node. The tables and the
 * functions are in migrations/usage/; what holds when the clock is set is in docs/decisions/0040-clock-steps.md.
 */
import { GroupedCalls } from '../../../concurrency/grouped-calls.ts';
import type { ChargeOutcome, Tally, UsageStore } from '../../usage-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { chargesMax, sendCharges, type TimedCharge } from './charge-call.ts';
import { Claims } from './claims.ts';
import { KeyUses } from './key-uses.ts';
import { Sender } from './sender.ts';
import { areSameTallies, readRemaining, readTallies } from './usage-queries.ts';

/** The map of tallies is cleared when it reaches this size. */
const tallyOwnersMax = 10_000;

/** `monotonicMs` is a clock that nobody sets. */
export function openUsageStore(
  database: PostgresDatabase,
  monotonicMs: () => number = () => performance.now(),
): UsageStore {
  const sender = new Sender();
  const charges = new GroupedCalls<TimedCharge, ChargeOutcome>(
    (group) => sendCharges(database, sender, group),
    chargesMax,
  );
  const claims = new Claims(database, monotonicMs);
  const uses = new KeyUses(database);
  /** What was read last: as long as it is still so, callers get the same object. */
  const tallies = new Map<string, ReadonlyMap<string, Tally>>();
  return {
    charge: (charge, nowMs) => charges.call({ charge, nowMs }),
    remainingOf: (limits, nowMs) => readRemaining(database, limits, nowMs),
    async talliesOf(owner, nowMs) {
      const read = await readTallies(database, owner, nowMs);
      const before = tallies.get(owner);
      if (before && areSameTallies(before, read)) return before;
      if (tallies.size >= tallyOwnersMax) tallies.clear();
      tallies.set(owner, read);
      return read;
    },
    async findSavedText(name) {
      const [row] = await database.read(
        (sql) => sql<{ text: string }[]>`select text from usage_text where name = ${name}`,
      );
      return row && (JSON.parse(row.text) as string);
    },
    claim: (wanted, expiresMs, nowMs) => claims.claim(wanted, expiresMs, nowMs),
    releaseClaims: (ids) => claims.release(ids),
    noteUse: (use, nowMs) => uses.note(use, nowMs),
    noteRefusal: (userId, refusal) => uses.noteRefusal(userId, refusal),
    dailyUses: (accountId, fromMs) => uses.dailyUses(accountId, fromMs),
    lastUses: (userIds) => uses.lastUses(userIds),
    async pruneUsage(nowMs) {
      await claims.prune(nowMs);
      await database.read((sql) => sql`delete from usage_call where at < now() - interval '1 day'`);
    },
    async close() {
      await Promise.all([charges.finish(), claims.finish()]);
      await uses.close();
    },
  };
}
