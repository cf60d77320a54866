/**
 * Publishes changed scores on the feed of risky domains, and enqueues hotlist jobs for those that qualify. The producer mark is the last update read
 * and moves in one transaction with the lines: exactly-once append, also after a crash. Several changes of a domain between two polls are one line
 * with the last score.
 */
import type { Clock } from '../../model/clock.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { DomainStore, LoggedUpdate } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { hotlistKind } from './hotlist.ts';
import { findLineScores, isHot, isRisky, type LineScores, riskLine } from './risk-lines.ts';

export interface PublishScoresNeeds {
  readonly domains: Pick<DomainStore, 'listUpdates' | 'findRecords'>;
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly scorer: Pick<RiskScorer, 'names'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'risk'>;
  readonly signal?: AbortSignal;
  readonly onPublished?: (lines: number) => void;
}

const producer = 'risk-feeds';
const pageUpdates = 500;

/** Until the log is read to its end, or the signal. */
export async function publishScores(needs: PublishScoresNeeds): Promise<void> {
  const { domains, streams, jobs, clock, settings } = needs;
  while (!needs.signal?.aborted) {
    const mark = await streams.findProducerMark(producer);
    const updates = await domains.listUpdates(Number(mark ?? 0), pageUpdates);
    const last = updates.at(-1);
    if (!last) return;
    const scored = await scoresIn(updates, needs);
    const nowMs = clock.now();
    const hot = scored.filter(([, scores]) => isHot(scores, settings.risk));
    // Before the mark moves; enqueueing is idempotent.
    if (hot.length > 0)
      await jobs.enqueue(hot.map(([subject]) => ({ kind: hotlistKind, subject, dueMs: nowMs })));
    const risky = scored.filter(([, scores]) => isRisky(scores, settings.risk));
    const text = risky.map(([domain, scores]) => riskLine(domain, scores, nowMs)).join('');
    const lines = { stream: feedStream('domainrisk'), bytes: Buffer.from(text) };
    // False where another process has published them.
    if (await streams.append([lines], nowMs, { producer, from: mark, to: String(last.id) }))
      needs.onPublished?.(risky.length);
  }
}

async function scoresIn(
  updates: readonly LoggedUpdate[],
  { domains, scorer }: PublishScoresNeeds,
): Promise<readonly (readonly [domain: string, scores: LineScores])[]> {
  const changed = updates.filter(({ fields }) => fields?.includes('domain_risk') ?? true);
  const names = [...new Set(changed.map(({ domain }) => domain))];
  const records = await domains.findRecords(names);
  return names.flatMap((name, index) => {
    const risk = records[index]?.domain_risk;
    const scores = risk && findLineScores(name, risk, scorer);
    return scores ? [[name, scores] as const] : [];
  });
}
