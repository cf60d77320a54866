/**
 * One reputation list. When it changes, a new snapshot is stored from its first line on; only a complete snapshot removes domains
 * that are no longer listed.
 */

import { createHash } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { dayMs } from '../../model/durations.ts';
import { Problem } from '../../model/problem.ts';
import type { ZerolistRules } from '../../model/risk/zerolist.ts';
import type { ReputationList, RiskStore } from '../../store/risk-store.ts';
import type { FileNeeds } from '../input/located-file.ts';
import { findChangedList, type ListSettings } from './find-changed-list.ts';
import { findListCheckpoint, formatListCheckpoint, type ListCheckpoint } from './list-checkpoint.ts';
import { type SnapshotCounts, storeSnapshot } from './store-snapshot.ts';

export interface ReputationListNeeds extends FileNeeds {
  readonly risks: Pick<RiskStore, 'addListed' | 'completeSnapshot' | 'listLists' | 'findVerdicts'>;
  readonly clock: Clock;
  /** A bad page on a domain that is known to be good does not make the domain bad. */
  readonly zerolist: ZerolistRules;
}

/** Counts of the last snapshot, and totals since the start. */
export interface ListCounts extends SnapshotCounts {
  readonly snapshots: number;
  readonly unchanged: number;
  /** Snapshots rejected because the list shrank too much. */
  readonly rejected: number;
}

export interface ReputationListReader {
  /** Polls the list and stores a snapshot if it changed. Throws where it cannot be read, or where the snapshot is rejected. */
  poll(signal: AbortSignal): Promise<void>;
  statistics(): ListCounts;
}

/** A list that shrinks below one part in this many is rejected… */
const shrinkingMax = 10;
/** …unless this many consecutive snapshots agree. */
const agreeingSnapshots = 3;

export function createReputationList(entry: ListSettings, needs: ReputationListNeeds): ReputationListReader {
  const { name: list, label, weight = 1, keepDays } = entry;
  const { risks, clock } = needs;
  const settings = settingsDigest(entry);
  const keepMs = keepDays === undefined ? undefined : keepDays * dayMs;
  const counts = { snapshots: 0, unchanged: 0, rejected: 0 };
  let found: SnapshotCounts = { domains: 0, invalid: 0, hosts: 0, shared: 0 };
  let [lastId, smallInRow] = [0, 0];

  /** Throws where a snapshot is rejected. Entries with an expiry time are not removed by a snapshot, so nothing is lost then. */
  const rejectIfShrunk = (before: ListCheckpoint | undefined) => {
    const isSmall = keepMs === undefined && before !== undefined && isShrunk(found.domains, before.domains);
    const isUnreadable = before === undefined && found.domains === 0 && found.invalid > 0;
    smallInRow = isSmall ? smallInRow + 1 : 0;
    if (!isUnreadable && (!isSmall || smallInRow >= agreeingSnapshots)) return;
    counts.rejected += 1;
    throw new Problem(
      'unavailable',
      isUnreadable
        ? `no line holds a domain; is its format ${entry.format ?? 'plain'}?`
        : `it shrank from ${before?.domains} domains to ${found.domains}: the old snapshot stays until ${agreeingSnapshots} consecutive snapshots agree`,
    );
  };

  return {
    statistics: () => ({ ...counts, ...found }),
    async poll(signal) {
      const known = (await risks.listLists()).find((one) => one.list === list);
      const checkpoint = findListCheckpoint(known?.checkpoint);
      const before = checkpoint?.settings === settings ? checkpoint : undefined;
      const condition = isRenewalDue(known, keepMs, clock.now()) ? undefined : before;
      const file = await findChangedList(needs, entry, condition, signal);
      if (!file) {
        counts.unchanged += 1;
        found = { ...found, domains: before?.domains ?? 0 };
        return;
      }
      try {
        const nowMs = clock.now();
        // Greater than every earlier id, even if the clock was set back.
        const id = Math.max(nowMs, lastId + 1, (checkpoint?.reading ?? 0) + 1);
        lastId = id;
        const snapshot = {
          list,
          label,
          weight,
          id,
          untilMs: keepMs === undefined ? undefined : nowMs + keepMs,
        };
        found = await storeSnapshot(snapshot, file.entries(), { ...needs, signal });
        rejectIfShrunk(before);
        signal.throwIfAborted();
        const now = { ...file.state, settings, reading: id, domains: found.domains };
        await risks.completeSnapshot(snapshot, formatListCheckpoint(now), clock.now());
        counts.snapshots += 1;
      } finally {
        await file.release();
      }
    },
  };
}

/** Of every setting that affects the entries. A digest, because a location may contain a key. */
function settingsDigest({ location, format, label, weight, column, keepDays }: ListSettings): string {
  const text = JSON.stringify([location, format, label, weight, column, keepDays]);
  return createHash('sha256').update(text).digest('hex');
}

function isShrunk(domains: number, before: number): boolean {
  return before > 0 && domains * shrinkingMax < before;
}

/** An unchanged file still lists its domains: entries with an expiry time are renewed before they expire. */
function isRenewalDue(known: ReputationList | undefined, keepMs: number | undefined, nowMs: number): boolean {
  return keepMs !== undefined && known?.readMs !== undefined && nowMs >= known.readMs + keepMs / 2;
}
