/** The housekeeping of a server. */
import { randomUUID } from 'node:crypto';
import { EarliestNow } from '../concurrency/earliest-now.ts';
import { repeat } from '../concurrency/repeat.ts';
import { dayMs, minuteMs, weekMs } from '../model/durations.ts';
import { DamagedData } from '../store/damage.ts';
import { workExclusively } from './exclusive-work.ts';
import type { StageNeeds } from './pipeline-needs.ts';

const maintenanceMs = minuteMs;
/** How long idempotency keys of ingest requests are kept. */
const idempotencyMs = weekMs;

/** Every minute: archives completed hours, then prunes what is past its retention. */
export async function startMaintenance({ settings, stores, logger, clock, health }: StageNeeds) {
  const { ArchiveMaker } = await import('../product/download/make-archives.ts');
  const { pruneChannels } = await import('../product/batch/retention.ts');
  const { pruneFeeds } = await import('../product/feed/prune-feeds.ts');
  const { sessionLimits } = await import('../product/people/sessions.ts');
  const { usage, sessions, signOn, streams, events, watchlist, domains, freeSpace } = stores;
  const needs = { ...stores, settings, clock };
  const archives = new ArchiveMaker(needs);
  const earliestNow = new EarliestNow();
  /** Damaged records of one feed must not stop the retention of all. */
  const logDamage = (error: unknown) => {
    if (!(error instanceof DamagedData)) throw error;
    logger.error({ err: error }, 'an archive was not made');
  };
  const maintain = async () => {
    await usage.pruneUsage(clock.now());
    if (settings.role === 'api') return;
    // A clock that is ahead for a while must not cost data that is not old.
    const nowMs = earliestNow.read(clock.now());
    await sessions.pruneSessions(nowMs, sessionLimits(settings));
    await signOn.pruneSignOns(nowMs);
    await pruneChannels(needs, nowMs);
    await streams.removeIdleProducerMarks('ingest:', nowMs - idempotencyMs);
    // Before pruning, which keeps what could not be archived.
    if (freeSpace.hasRoom()) await archives.run().catch(logDamage);
    await pruneFeeds(needs, nowMs);
    await events.pruneEvents(nowMs - settings.detect.eventDays * dayMs);
    await watchlist.pruneUnmatchedDomains(nowMs);
    await domains.sweepTags(nowMs);
  };
  // Where a worker does nearly all of it, the worker reports it.
  const part =
    settings.role === 'api'
      ? undefined
      : health.part({ kind: 'stage', name: 'maintenance', unit: 'rounds', everyMs: maintenanceMs });
  let running: Promise<void> | undefined;
  let stopping = false;
  const timer = setInterval(() => {
    running ??= maintain()
      .then(() => part?.succeed(1))
      .catch((error: unknown) => {
        // A shutdown interrupts it; the next start resumes.
        if (stopping) return;
        part?.fail(error);
        logger.error({ err: error }, 'maintenance failed');
      })
      .finally(() => {
        running = undefined;
      });
  }, maintenanceMs).unref();
  const ending = new AbortController();
  const maintaining =
    settings.role === 'api' ? undefined : maintainStores({ stores, logger, clock }, ending.signal);
  return {
    close: async () => {
      stopping = true;
      ending.abort();
      clearInterval(timer);
      await maintaining;
      await archives.close();
      await running;
    },
  };
}

/** What only one worker does at a time. */
async function maintainStores(
  { stores, logger, clock }: Pick<StageNeeds, 'stores' | 'logger' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { leases } = stores;
  if (!stores.maintain) return;
  const onFailure = (error: unknown) => logger.error({ err: error }, 'maintenance of the stores failed');
  const needs = { leases, clock, holder: randomUUID(), signal, onFailure };
  await workExclusively('stores', needs, ({ signal: held }) =>
    repeat(async () => stores.maintain?.(clock.now(), held), {
      everyMs: maintenanceMs,
      signal: held,
      onFailure,
    }),
  );
}
