/**
 * The first search for a new monitor, over all known names. All pending monitors are served by one scan. An interrupted scan starts over; what
 * it found before stays recorded.
 */

import { randomUUID } from 'node:crypto';
import { countLines } from '../../model/count-lines.ts';
import type { NameSearch } from '../../model/detect/name-search.ts';
import { minuteMs } from '../../model/durations.ts';
import { namesStream } from '../../model/stream-names.ts';
import type { ActiveMonitor, MonitorStore } from '../../store/monitor-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { DiscoveredCounts } from './discover-names.ts';
import { countKnownNames, type KnownNamesNeeds, scanKnownNames } from './known-names.ts';
import { DiscoveryRecorder, type RecordDiscoveriesNeeds } from './record-discoveries.ts';
import { searchPlan } from './search-plan.ts';

export interface SearchKnownNeeds extends RecordDiscoveriesNeeds, KnownNamesNeeds {
  readonly monitors: Pick<MonitorStore, 'listActiveMonitors' | 'listAllOwnDomains' | 'recordSearchProgress'>;
  readonly domains: RecordDiscoveriesNeeds['domains'] & KnownNamesNeeds['domains'];
  readonly streams: KnownNamesNeeds['streams'] & Pick<StreamStore, 'leaseOffset' | 'releaseOffset'>;
  readonly search: NameSearch;
  readonly signal?: AbortSignal;
  /** How many monitors are pending. */
  readonly onPending?: (monitors: number) => void;
  readonly onFound?: (found: Pick<DiscoveredCounts, 'matches' | 'discovered'>) => void;
}

/** The lease only saves other processes the work: searching twice is harmless. */
const consumer = { stream: namesStream, name: 'search' } as const;
const leaseMs = minuteMs;
/** Progress is recorded about twenty times per scan, and less often with many pending monitors. */
const progressSteps = 20;
const progressWrites = 200;

/** Resolves when the monitors that were pending at the start are searched, or when another process holds the lease. */
export async function searchKnownNames(needs: SearchKnownNeeds): Promise<void> {
  const { streams, clock } = needs;
  const { monitors } = await needs.monitors.listActiveMonitors();
  const pending = monitors.filter(({ monitor }) => monitor.status === 'pending');
  needs.onPending?.(pending.length);
  if (pending.length === 0) return;
  const holder = randomUUID();
  let leasedUntilMs = 0;
  const renewLease = async () => {
    const nowMs = clock.now();
    // Renewed in its second half; earlier if the clock was set back, or the lease would end unnoticed.
    const leftMs = leasedUntilMs - nowMs;
    if (leftMs > leaseMs / 2 && leftMs <= leaseMs) return true;
    leasedUntilMs = nowMs + leaseMs;
    return (await streams.leaseOffset(consumer, holder, nowMs, leasedUntilMs)) !== undefined;
  };
  if (!(await renewLease())) return;
  try {
    await scan(pending, needs, renewLease);
  } finally {
    await streams.releaseOffset(consumer, holder);
  }
}

async function scan(
  pending: readonly ActiveMonitor[],
  needs: SearchKnownNeeds,
  renewLease: () => Promise<boolean>,
): Promise<void> {
  const { monitors, signal } = needs;
  const ofNames = await countKnownNames(needs);
  const search = await needs.search.open(searchPlan(pending, await monitors.listAllOwnDomains()));
  const recorder = new DiscoveryRecorder(needs);
  const recordProgress = async (names: number, done: boolean) => {
    await recorder.finish();
    const progress = { names, ofNames: done ? names : Math.max(names, ofNames), done };
    for (const { accountId, monitor } of pending) {
      await monitors.recordSearchProgress(accountId, monitor.id, {
        ...progress,
        updatedMs: monitor.updatedMs,
      });
    }
  };
  const stepNames = ofNames * Math.max(1 / progressSteps, pending.length / progressWrites);
  let [names, recordedNames] = [0, 0];
  try {
    for await (const lines of scanKnownNames(needs)) {
      for await (const found of search.find(lines)) await recorder.add(found);
      names += countLines(lines);
      if (signal?.aborted || !(await renewLease())) return;
      if (names - recordedNames < stepNames) continue;
      await recordProgress(names, false);
      recordedNames = names;
    }
    await recordProgress(names, true);
  } finally {
    search.close();
    needs.onFound?.({ matches: recorder.matches, discovered: recorder.discovered });
  }
}
