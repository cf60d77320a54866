/**
 * Collects one domain: runs all collectors in phases and writes what they found. DNS comes first, because the others need its addresses;
 * collectors that only enrich what was found come last. A collector that fails never costs the findings of the others.
 */

import type { Collector, CollectorName, FeedLine } from '../../collect/collectors/collector.ts';
import { yieldIfIterationIsFull } from '../../concurrency/event-loop-slices.ts';
import type { Clock } from '../../model/clock.ts';
import { boundedAnswer, type KeepRaw, type RawAnswer } from '../../model/evidence/raw-answer.ts';
import type { OutgoingRequest } from '../../model/opsec/outgoing-request.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore, RecordUpdate } from '../../store/domain-store.ts';
import type { LeasedJob } from '../../store/job-store.ts';
import type { NameStore } from '../../store/name-store.ts';
import { refreshMs } from '../jobs/refresh-time.ts';
import { type JobOutcome, jobBackoffMs } from '../jobs/start-job-worker.ts';
import type { BatchedWrites } from './batched-writes.ts';
import type { CollectionCounts } from './collection-counts.ts';
import { asNewRecord, mergeEnrichments } from './join-updates.ts';
import { isPassiveCollector, type PassiveDomains } from './passive-domains.ts';
import { isRegistrationNew, rdapLines } from './rdap-lines.ts';
import type { RecentFailures } from './recent-failures.ts';
import { recordProbe } from './record-probe.ts';
import { type CompletedProbe, runProbe } from './run-probe.ts';
import { updateOf } from './update-of.ts';

export interface CollectDomainNeeds {
  readonly collectors: readonly Collector[];
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly names: Pick<NameStore, 'findSeenMs'>;
  readonly writes: Pick<BatchedWrites, 'write'>;
  readonly recentFailures: RecentFailures;
  readonly passive: Pick<PassiveDomains, 'includes'>;
  readonly counts: CollectionCounts;
  readonly clock: Clock;
  readonly settings: Pick<Settings['collect'], 'lookSeconds' | 'refreshDays' | 'attemptsMax' | 'raw'>;
  /** Everything was asked; what was found is still to be written. */
  readonly onProbed: () => void;
  /** Error callback for what collectors throw; the others go on. */
  readonly onFailure: (error: unknown) => void;
}

/** Phases run one after another; the collectors of a phase run concurrently. */
export const phases: readonly (readonly CollectorName[])[] = [
  ['dns'],
  ['rdap', 'whois', 'tls', 'web'],
  ['ip'],
];

export async function collectDomain(
  job: LeasedJob,
  needs: CollectDomainNeeds,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { subject: domain } = job;
  const [stored] = await needs.domains.findRecords([domain]);
  const round = await runPhases(job, stored, needs, signal);
  needs.onProbed();
  await yieldIfIterationIsFull();
  const updates = mergeEnrichments(round.updates);
  const lines = isRegistrationNew(stored, round.known) ? round.lines : [];
  const feed = rdapLines(domain, lines, needs.clock.now());
  needs.counts.dropped += feed.dropped;
  const written = stored ? updates : asNewRecord(updates, (await needs.names.findSeenMs([domain]))[0]);
  await needs.writes.write({
    updates: written,
    lines: feed.lines,
    answers: round.answers,
    requests: round.requests,
  });
  needs.recentFailures.record(domain, round.transientFailures);
  return outcomeOf(job, round.transientFailures.length > 0, needs);
}

interface Round {
  readonly updates: readonly RecordUpdate[];
  readonly lines: readonly FeedLine[];
  readonly known: DomainRecord;
  /** What servers answered. */
  readonly answers: readonly RawAnswer[];
  readonly requests: readonly OutgoingRequest[];
  /** Collectors that failed and are worth retrying soon. */
  readonly transientFailures: readonly CollectorName[];
}

async function runPhases(
  { subject: domain, attempts }: LeasedJob,
  stored: DomainRecord | undefined,
  needs: CollectDomainNeeds,
  signal: AbortSignal,
): Promise<Round> {
  const { settings, onFailure, counts } = needs;
  const deadlineMs = settings.lookSeconds * 1000;
  const failed = attempts > 1 ? needs.recentFailures.find(domain) : undefined;
  const updates: RecordUpdate[] = [];
  const results: CompletedProbe[] = [];
  const answers: RawAnswer[] = [];
  const requests: OutgoingRequest[] = [];
  // Whatever asked for this collection: here nothing of the domain's own has been asked yet.
  const isPassive = await needs.passive.includes(domain);
  let known: DomainRecord = stored ?? { domain };
  for (const phase of phases) {
    const due = needs.collectors.filter(
      ({ name }) =>
        phase.includes(name) &&
        (!isPassive || isPassiveCollector(name)) &&
        (!failed || name === 'ip' || failed.includes(name)),
    );
    const nowMs = needs.clock.now();
    const request = { domain, known, nowMs };
    const probes = due.map((collector) => {
      const keepRaw = keeperOf(answers, { domain, collector: collector.name, nowMs }, settings.raw);
      const subject = { domain, collector: collector.name };
      return recordProbe(subject, requests, needs, () =>
        runProbe(collector, { ...request, keepRaw }, { deadlineMs, signal, onFailure }),
      );
    });
    for (const result of await Promise.all(probes)) {
      results.push(result);
      counts.countProbe(result);
      const { collector, outcome } = result;
      if (outcome.outcome === 'failed') continue;
      await yieldIfIterationIsFull();
      const { name, members } = collector;
      const { update, dropped } = updateOf({ domain, collector: name, members, part: outcome.part, nowMs });
      counts.dropped += dropped.length;
      if (!update) continue;
      updates.push(update);
      known = merged(known, update);
    }
  }
  return {
    updates,
    known,
    answers,
    requests,
    lines: results.flatMap(linesOf),
    transientFailures: results.flatMap(transientFailureOf),
  };
}

const answersPerProbeMax = 40;

/** Undefined where answers are not kept. */
function keeperOf(
  answers: RawAnswer[],
  { domain, collector, nowMs }: { domain: string; collector: CollectorName; nowMs: number },
  { enabled, itemBytesMax }: Settings['collect']['raw'],
): KeepRaw | undefined {
  if (!enabled) return undefined;
  let kept = 0;
  return (answer) => {
    kept += 1;
    if (kept <= answersPerProbeMax)
      answers.push(boundedAnswer({ ...answer, domain, collector, atMs: nowMs }, itemBytesMax));
  };
}

function merged(known: DomainRecord, { members = [], record }: RecordUpdate): DomainRecord {
  return { ...known, ...Object.fromEntries(members.map((member) => [member, record[member]])) };
}

function linesOf({ outcome }: CompletedProbe): readonly FeedLine[] {
  return outcome.outcome === 'found' ? (outcome.lines ?? []) : [];
}

function transientFailureOf({ collector, outcome }: CompletedProbe): readonly CollectorName[] {
  return outcome.outcome === 'failed' && outcome.isTransient ? [collector.name] : [];
}

function outcomeOf(job: LeasedJob, isIncomplete: boolean, needs: CollectDomainNeeds): JobOutcome {
  const { refreshDays, attemptsMax } = needs.settings;
  const nowMs = needs.clock.now();
  if (isIncomplete && job.attempts < attemptsMax)
    return { done: false, dueMs: nowMs + jobBackoffMs(job.attempts) };
  needs.counts.domains += 1;
  return { done: true, againMs: refreshMs(job.subject, nowMs, refreshDays) };
}
