/**
 * Tells scores that changed on the feed of risky domains, and has those looked for in passive DNS that belong on the hotlist. The mark of the
 * writer is the update that it has come to and moves together with the lines, so whoever is killed on the way and whoever goes on, each
 * line is there once. Several changes of a domain between two looks are one line, with the last score.
 */
import type { Clock } from '../../model/clock.ts';
import type { DomainRisk } from '../../model/risk/assessment.ts';
import type { Settings } from '../../model/settings.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { DomainStore, LoggedUpdate } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { hotlistKind } from './hotlist.ts';
import { isHot, isRisky, riskLine } from './risk-lines.ts';

export interface TellScoresNeeds {
  readonly domains: Pick<DomainStore, 'listUpdates' | 'findRecords'>;
  readonly streams: Pick<StreamStore, 'append' | 'findMark'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'risk'>;
  readonly signal?: AbortSignal;
  readonly onTold?: (lines: number) => void;
}

const writer = 'risk-feeds';
const pageUpdates = 500;

/** Until nothing is left, or it is told to stop. */
export async function tellScores(needs: TellScoresNeeds): Promise<void> {
  const { domains, streams, jobs, clock, settings } = needs;
  while (!needs.signal?.aborted) {
    const mark = await streams.findMark(writer);
    const updates = await domains.listUpdates(Number(mark ?? 0), pageUpdates);
    const last = updates.at(-1);
    if (!last) return;
    const scored = await scoresIn(updates, domains);
    const nowMs = clock.now();
    const hot = scored.filter(([, risk]) => isHot(risk, settings.risk));
    // Before the mark moves: a job is there once, however often it is asked for.
    if (hot.length > 0)
      await jobs.enqueue(hot.map(([subject]) => ({ kind: hotlistKind, subject, dueMs: nowMs })));
    const risky = scored.filter(([, risk]) => isRisky(risk, settings.risk));
    const text = risky.map(([domain, risk]) => riskLine(domain, risk, nowMs)).join('');
    const lines = { stream: feedStream('domainrisk'), bytes: Buffer.from(text) };
    // Where it answers false, another process has told them.
    if (await streams.append([lines], nowMs, { writer, from: mark, to: String(last.id) }))
      needs.onTold?.(risky.length);
  }
}

async function scoresIn(
  updates: readonly LoggedUpdate[],
  domains: TellScoresNeeds['domains'],
): Promise<readonly (readonly [domain: string, risk: DomainRisk])[]> {
  const changed = updates.filter(({ fields }) => fields?.includes('domain_risk') ?? true);
  const names = [...new Set(changed.map(({ domain }) => domain))];
  const records = await domains.findRecords(names);
  return names.flatMap((name, index) => {
    const risk = records[index]?.domain_risk;
    return risk ? [[name, risk] as const] : [];
  });
}
