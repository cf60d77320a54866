/**
 * Scores a batch of domains: gathers their facts, assesses them, and writes changed scores to their records. An unchanged score is not written, so
 * scoring is idempotent. The result says when each is due again: a provisional score when it can become full.
 */
import { isDeepStrictEqual } from 'node:util';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Clock } from '../../model/clock.ts';
import { assessDomain } from '../../model/risk/assess-domain.ts';
import type { Assessment, RiskFacts } from '../../model/risk/assessment.ts';
import { riskSource, scoreCollector } from '../../model/risk/domain-risk.ts';
import type { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore, RecordUpdate } from '../../store/domain-store.ts';
import { gatherRiskFacts, type RiskFactsNeeds } from '../../store/gather-risk-facts.ts';
import { type BadLinksNeeds, putBadLinksOf } from './bad-links.ts';

export interface ScoreNeeds extends RiskFactsNeeds, BadLinksNeeds {
  readonly domains: RiskFactsNeeds['domains'] & Pick<DomainStore, 'upsert'>;
  readonly risks: RiskFactsNeeds['risks'] & BadLinksNeeds['risks'];
  readonly scorer: RiskScorer;
  readonly clock: Clock;
  readonly settings: { readonly risk: Pick<Settings['risk'], 'fullAfterSeconds'> };
  readonly onScored?: (counts: ScoredCounts) => void;
}

export interface ScoredCounts {
  readonly scored: number;
  readonly provisional: number;
  readonly full: number;
  /** Different from the stored score. */
  readonly changed: number;
}

export async function scoreDomains(
  domains: readonly string[],
  needs: ScoreNeeds,
): Promise<readonly (number | undefined)[]> {
  const nowMs = needs.clock.now();
  const all = await gatherRiskFacts(domains, needs, nowMs);
  await putBadLinksOf(all, needs);
  const assessments = await assessAll(all, needs.scorer);
  const collector = scoreCollector(needs.scorer.version);
  const updates = assessments.flatMap((assessment, index) =>
    updateOf(assessment, all[index] as RiskFacts, collector),
  );
  if (updates.length > 0) await needs.domains.upsert(updates);
  const full = assessments.filter(({ status }) => status === 'full').length;
  const scored = assessments.length;
  needs.onScored?.({ scored, full, provisional: scored - full, changed: updates.length });
  const fullAfterMs = needs.settings.risk.fullAfterSeconds * 1000;
  return assessments.map(({ status }, index) =>
    status === 'full' ? undefined : (all[index]?.seenMs ?? nowMs) + fullAfterMs,
  );
}

/** Yields to the event loop between time slices. */
export async function assessAll(
  all: readonly RiskFacts[],
  scorer: RiskScorer,
): Promise<readonly Assessment[]> {
  await scorer.load();
  const slice = new TimeSlice();
  const assessments: Assessment[] = [];
  for (const facts of all) {
    await slice.yieldIfOver();
    assessments.push(assessDomain(facts, scorer));
  }
  return assessments;
}

/** None where the record has this score. A domain without a record gets a minimal one: it was seen. */
function updateOf(
  { domain, risk }: Assessment,
  { record, seenMs, nowMs }: RiskFacts,
  collector: string,
): RecordUpdate[] {
  if (isDeepStrictEqual(record?.domain_risk, risk)) return [];
  const seen = { active: true, ...(seenMs === undefined ? {} : { first_seen: instant(seenMs) }) };
  const sources = { domain_risk: { collector, at: instant(nowMs) } };
  const written = { domain, ...(record ? {} : seen), domain_risk: risk, sources };
  return [{ record: written, members: ['domain_risk'], source: riskSource, seenMs: nowMs }];
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
