/**
 * Publishes changed scores on the feed of risky domains, and enqueues hotlist jobs for those that qualify. The producer mark is the last update read
 * and moves in one transaction with the lines: exactly-once append, also after a crash. Several changes of a domain between two polls are one line
 * with the last score; a change that leaves all scores of a line as they were, such as new evidence, is none.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../model/clock.ts';
import type { DomainRisk } from '../../model/risk/assessment.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { DomainStore, LoggedUpdate } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import { logStart } from '../../store/paging/log-position.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { hotlistKind } from './hotlist.ts';
import { riskChange, type UpdatesOfDomain } from './risk-changes.ts';
import { findLineScores, isHot, isRisky, type LineScores, riskLine } from './risk-lines.ts';

export interface PublishScoresNeeds {
  readonly domains: Pick<DomainStore, 'listUpdates' | 'listChanges' | 'findRecords'>;
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly scorer: Pick<RiskScorer, 'names'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'risk'>;
  readonly signal?: AbortSignal;
  readonly onPublished?: (lines: number) => void;
}

/** A domain with updates of its score, and its score now, which may be of a later update. */
interface Rescored extends UpdatesOfDomain {
  readonly risk: DomainRisk;
  readonly scores: LineScores;
}

const producer = 'risk-feeds';
const pageUpdates = 500;

/** Until the log is read to its end, or the signal. */
export async function publishScores(needs: PublishScoresNeeds): Promise<void> {
  const { domains, streams, jobs, clock, settings } = needs;
  while (!needs.signal?.aborted) {
    const mark = await streams.findProducerMark(producer);
    const updates = await domains.listUpdates(mark ?? logStart, pageUpdates);
    const last = updates.at(-1);
    if (!last) return;
    const rescored = await findRescored(updates, needs);
    const nowMs = clock.now();
    const hot = rescored.filter(({ scores }) => isHot(scores, settings.risk));
    // Before the mark moves; enqueueing is idempotent.
    if (hot.length > 0)
      await jobs.enqueue(hot.map(({ domain }) => ({ kind: hotlistKind, subject: domain, dueMs: nowMs })));
    const risky = await findRisky(rescored, needs);
    const text = risky.map(([domain, scores]) => riskLine(domain, scores, nowMs)).join('');
    const lines = { stream: feedStream('domainrisk'), bytes: Buffer.from(text) };
    // False where another process has published them.
    if (await streams.append([lines], nowMs, { producer, from: mark, to: last.position }))
      needs.onPublished?.(risky.length);
  }
}

async function findRescored(
  updates: readonly LoggedUpdate[],
  { domains, scorer }: PublishScoresNeeds,
): Promise<readonly Rescored[]> {
  const changed = updates.filter(({ fields }) => fields?.includes('domain_risk') ?? true);
  const byDomain = new Map<string, UpdatesOfDomain>();
  for (const update of changed) {
    const { domain } = update;
    byDomain.set(domain, { domain, first: byDomain.get(domain)?.first ?? update, last: update });
  }
  const records = await domains.findRecords([...byDomain.keys()]);
  return [...byDomain.values()].flatMap((ofDomain, index) => {
    const risk = records[index]?.domain_risk;
    const scores = risk && findLineScores(ofDomain.domain, risk, scorer);
    return scores ? [{ ...ofDomain, risk, scores }] : [];
  });
}

/**
 * Domains whose line differs by these updates. One that has been updated again since has the scores of these updates here, and those of the later ones
 * when those are read: with the scores of now it would have the same line twice.
 */
async function findRisky(
  rescored: readonly Rescored[],
  { domains, scorer, settings }: PublishScoresNeeds,
): Promise<readonly (readonly [domain: string, scores: LineScores])[]> {
  const risky: (readonly [string, LineScores])[] = [];
  for (const { scores, ...updated } of rescored) {
    if (!isRisky(scores, settings.risk)) continue;
    const { before, after } = await riskChange(updated, domains);
    const [previous, current] = [before, after].map(
      (risk) => risk && findLineScores(updated.domain, risk, scorer),
    );
    if (current && isRisky(current, settings.risk) && !isDeepStrictEqual(previous, current))
      risky.push([updated.domain, current]);
  }
  return risky;
}
