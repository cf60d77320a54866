/**
 * Domains that were just probed through every stage of scoring over real stores, until their scores are durable, with a tenth of them known
 * to be bad and neighbours scored again; against a bare upsert of as many scores.
 */
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { normaliseRecord } from '../../src/model/record/normalise.ts';
import { ScoringTally } from '../../src/pipeline/scoring/scoring-counts.ts';
import { scoringStages } from '../../src/pipeline/scoring/scoring-stages.ts';
import { openRiskScorer } from '../../src/product/risk/open-risk-scorer.ts';
import { openEmbeddedStores } from '../../src/store/embedded/open-stores.ts';
import type { Stores } from '../../src/stores.ts';
import { recordOf } from '../data/record-lines.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { ownUsage, type Used } from '../harness/usage.ts';

const nowMs = Date.parse('2026-11-15T00:00:00Z');
const clock = { now: () => nowMs };
const upsertedTogether = 200;

export async function benchScoringStages(context: BenchContext): Promise<readonly Result[]> {
  const count = context.sized({ tiny: 200, small: 2000, full: 10_000 });
  const lesser = await runStages(count / 10, context);
  const greater = await runStages(count, context);
  const { used, bareSeconds } = greater;
  return [
    resultOf({
      work: `scoring of ${count.toLocaleString('en')} probed domains, durable, neighbours scored again`,
      ours: { value: count / used.seconds, unit: 'domains/s' },
      peer: { name: 'upsert of the scores', value: count / bareSeconds, unit: 'domains/s' },
      wanted: { ratio: { atLeast: 0.125 }, growthAt10x: { atMost: 1.5 } },
      growthAt10x: used.seconds / (10 * lesser.used.seconds),
      cpuSeconds: used.cpuSeconds,
      memoryBytes: used.memoryBytes,
    }),
  ];
}

interface Measured {
  readonly used: Used<void>;
  readonly bareSeconds: number;
}

async function runStages(count: number, { directory }: BenchContext): Promise<Measured> {
  const stores = openEmbeddedStores({ data: join(directory, `scored-${count}`), clock });
  try {
    const names = await probed(stores, count);
    const { settings } = readConfig({ environment: {}, flags: {} });
    const tally = new ScoringTally();
    const onFailure = (error: unknown) => {
      throw error;
    };
    const needs = { ...stores, settings, scorer: openRiskScorer(settings), clock, onFailure };
    const stages = scoringStages(needs, tally);
    const used = await ownUsage(async () => {
      for (let before = -1; before !== tally.all.scored; ) {
        before = tally.all.scored;
        for (const stage of stages) await stage();
      }
    });
    if (tally.all.scored < count) throw new Error(`only ${tally.all.scored} of ${count} were scored`);
    return { used, bareSeconds: await upsertSeconds(stores, names) };
  } finally {
    await stores.close();
  }
}

/** Records without a score, a tenth of them on a list of bad domains. */
async function probed(stores: Stores, count: number): Promise<readonly string[]> {
  const updates = Array.from({ length: count }, (_, at) => {
    const { domain_risk: _risk, ...record } = recordOf(at, count);
    const normal = normaliseRecord(JSON.parse(JSON.stringify(record)));
    if ('faults' in normal) throw new Error(normal.faults.join());
    return { ...normal, source: 'bench', seenMs: nowMs };
  });
  for (let from = 0; from < count; from += 500) await stores.domains.upsert(updates.slice(from, from + 500));
  const bad = updates.filter((_, at) => at % 10 === 0).map(({ record: { domain } }) => ({ domain }));
  await stores.risks.addListed(
    { list: 'bench', label: 'phishing', weight: 1, id: 1, untilMs: undefined },
    bad,
  );
  return updates.map(({ record }) => record.domain);
}

/** What it costs to write as many scores and nothing else. */
async function upsertSeconds({ domains }: Stores, all: readonly string[]): Promise<number> {
  const began = performance.now();
  for (let from = 0; from < all.length; from += upsertedTogether)
    await domains.upsert(
      all.slice(from, from + upsertedTogether).map((domain) => ({
        record: { domain, domain_risk: { risk_score: 50, components: [] } },
        members: ['domain_risk'],
        source: 'bench',
        seenMs: nowMs,
      })),
    );
  return (performance.now() - began) / 1000;
}
