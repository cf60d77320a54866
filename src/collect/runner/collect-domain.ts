/**
 * A round: everything that collectors see of one domain now, and what is written of it. DNS comes first, because it tells others where to look;
 * whoever only adds to what was found comes last. What one collector cannot see never costs what the others saw.
 */
import type { Clock } from '../../model/clock.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { Settings } from '../../model/settings.ts';
import type { DomainStore, RecordUpdate } from '../../store/domain-store.ts';
import type { LeasedJob } from '../../store/job-store.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { Collector, CollectorName, FeedLine } from '../collectors/collector.ts';
import { backoffMs } from '../jobs/backoff.ts';
import { refreshMs } from '../jobs/refresh-time.ts';
import type { JobOutcome } from '../jobs/work-on-jobs.ts';
import type { CollectCounts } from './collect-counts.ts';
import type { FailedBefore } from './failed-before.ts';
import type { GatheredWrites } from './gathered-writes.ts';
import { asOne, finished } from './join-updates.ts';
import { isRegistrationNew, rdapLines } from './rdap-lines.ts';
import { type LookResult, takeLook } from './take-look.ts';
import { updateOf } from './update-of.ts';

export interface RoundNeeds {
  readonly collectors: readonly Collector[];
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly names: Pick<NameStore, 'findSeenMs'>;
  readonly writes: Pick<GatheredWrites, 'put'>;
  readonly failedBefore: FailedBefore;
  readonly counts: CollectCounts;
  readonly clock: Clock;
  readonly settings: Pick<Settings['collect'], 'lookSeconds' | 'refreshDays' | 'attemptsMax'>;
  /** Hears of what collectors throw; the round goes on. */
  readonly onFailure: (error: unknown) => void;
}

/** One phase after the other; what is in one phase goes side by side. */
export const phases: readonly (readonly CollectorName[])[] = [
  ['dns'],
  ['rdap', 'whois', 'tls', 'web'],
  ['ip'],
];

export async function collectDomain(
  job: LeasedJob,
  needs: RoundNeeds,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { subject: domain } = job;
  const [stored] = await needs.domains.findRecords([domain]);
  const round = await lookAround(job, stored, needs, signal);
  const updates = finished(round.updates);
  const lines = isRegistrationNew(stored, round.known) ? round.lines : [];
  const told = rdapLines(domain, lines, needs.clock.now());
  needs.counts.dropped += told.dropped;
  const written = stored ? updates : asOne(updates, await needs.names.findSeenMs(domain));
  await needs.writes.put({ updates: written, lines: told.lines });
  needs.failedBefore.note(domain, round.tryAgain);
  return outcomeOf(job, round.tryAgain.length > 0, needs);
}

interface Round {
  readonly updates: readonly RecordUpdate[];
  readonly lines: readonly FeedLine[];
  readonly known: DomainRecord;
  /** Those that failed and may do better soon. */
  readonly tryAgain: readonly CollectorName[];
}

async function lookAround(
  { subject: domain, attempts }: LeasedJob,
  stored: DomainRecord | undefined,
  needs: RoundNeeds,
  signal: AbortSignal,
): Promise<Round> {
  const { settings, onFailure, counts } = needs;
  const lookMs = settings.lookSeconds * 1000;
  const failed = attempts > 1 ? needs.failedBefore.find(domain) : undefined;
  const updates: RecordUpdate[] = [];
  const results: LookResult[] = [];
  let known: DomainRecord = stored ?? { domain };
  for (const phase of phases) {
    const asked = needs.collectors.filter(
      ({ name }) => phase.includes(name) && (!failed || name === 'ip' || failed.includes(name)),
    );
    const nowMs = needs.clock.now();
    const look = { domain, known, nowMs };
    const looks = asked.map((collector) => takeLook(collector, look, { lookMs, signal, onFailure }));
    for (const result of await Promise.all(looks)) {
      results.push(result);
      counts.look(result);
      const { collector, outcome } = result;
      if (outcome.outcome === 'failed') continue;
      const { name, members } = collector;
      const { update, dropped } = updateOf({ domain, collector: name, members, part: outcome.part, nowMs });
      counts.dropped += dropped.length;
      if (!update) continue;
      updates.push(update);
      known = putOver(known, update);
    }
  }
  return { updates, known, lines: results.flatMap(linesOf), tryAgain: results.flatMap(tryAgainOf) };
}

function putOver(known: DomainRecord, { members = [], record }: RecordUpdate): DomainRecord {
  return { ...known, ...Object.fromEntries(members.map((member) => [member, record[member]])) };
}

function linesOf({ outcome }: LookResult): readonly FeedLine[] {
  return outcome.outcome === 'found' ? (outcome.lines ?? []) : [];
}

function tryAgainOf({ collector, outcome }: LookResult): readonly CollectorName[] {
  return outcome.outcome === 'failed' && outcome.isPassing ? [collector.name] : [];
}

function outcomeOf(job: LeasedJob, isOpen: boolean, needs: RoundNeeds): JobOutcome {
  const { refreshDays, attemptsMax } = needs.settings;
  const nowMs = needs.clock.now();
  if (isOpen && job.attempts < attemptsMax) return { done: false, dueMs: nowMs + backoffMs(job.attempts) };
  needs.counts.domains += 1;
  return { done: true, againMs: refreshMs(job.subject, nowMs, refreshDays) };
}
