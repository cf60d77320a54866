/**
 * Scores by the model that comes with the package. Of names: against a bare loop that only divides the same bytes into lines, and against
 * itself with a tenth of the names; without the shared data the names are made up. Of records: full scores against reading the same
 * records from JSON; and the whole stage over real stores, from records that changed to scores that are durable, against a bare upsert of
 * the same scores, with a tenth of the domains known to be bad.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readConfig } from '../src/config.ts';
import type { DomainRecord } from '../src/model/record/domain-record.ts';
import { normaliseRecord } from '../src/model/record/normalise.ts';
import { assessDomain } from '../src/model/risk/assess-domain.ts';
import type { RiskFacts } from '../src/model/risk/assessment.ts';
import { explainName } from '../src/model/risk/name/explain-name.ts';
import { findNameParts } from '../src/model/risk/name/name-parts.ts';
import { NameScorer } from '../src/model/risk/name/name-scorer.ts';
import { RiskScorer } from '../src/model/risk/risk-scorer.ts';
import { ScoringTally } from '../src/pipeline/scoring/scoring-counts.ts';
import { scoringStages } from '../src/pipeline/scoring/scoring-stages.ts';
import { openRiskScorer } from '../src/product/risk/open-risk-scorer.ts';
import { readModel } from '../src/product/risk/read-model.ts';
import type { DomainStore } from '../src/store/domain-store.ts';
import { openEmbeddedStores } from '../src/store/embedded/open-stores.ts';
import { recordOf } from './data/record-lines.ts';
import { want } from './want.ts';

const data = join(import.meta.dirname, '../../shared/data/risk/newly-registered-full-feed-2026-08.txt.gz');
const namesMax = 100_000;
const rounds = 3;

function names(): readonly string[] {
  if (!existsSync(data))
    return Array.from({ length: namesMax }, (_, at) => `secure-${at * 7919}-shop.example-${at}.com`);
  return gunzipSync(readFileSync(data)).toString('latin1').split('\n').filter(Boolean).slice(0, namesMax);
}

/** The best of a few rounds: other work on the machine only ever adds. */
function fastestSeconds(work: () => void, times = rounds): number {
  let seconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round < times; round += 1) {
    const began = performance.now();
    work();
    seconds = Math.min(seconds, (performance.now() - began) / 1000);
  }
  return seconds;
}

/** Millions of lines, or however many these names make when they are taken again and again. */
function linesOf(all: readonly string[], count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, at) => all[at % all.length]).join('\n'));
}

function scoreSeconds(scorer: NameScorer, bytes: Buffer): number {
  let sum = 0;
  const seconds = fastestSeconds(() => {
    for (const name of bytes.toString('latin1').split('\n')) sum += scorer.findScores(name)?.phishing ?? 0;
  });
  if (sum === 0) throw new Error('nothing was scored');
  return seconds;
}

const recordsMax = 20_000;
const nowMs = Date.parse('2026-11-15T00:00:00Z');

function scoreRecords(): void {
  const scorer = new RiskScorer(readModel(), { popularRankMax: 0 });
  const texts = Array.from({ length: recordsMax }, (_, at) => JSON.stringify(recordOf(at, recordsMax)));
  const facts = texts.map((text): RiskFacts => {
    const record = JSON.parse(text) as DomainRecord;
    const { domain } = record;
    return { domain, record, verdicts: [], links: [], seenMs: 0, status: 'full', nowMs };
  });
  const score = (some: readonly RiskFacts[]) =>
    fastestSeconds(() => void some.map((one) => assessDomain(one, scorer)));
  score(facts.slice(0, recordsMax / 10));
  const [tenth, whole] = [score(facts.slice(0, recordsMax / 10)), score(facts)];
  const bare = fastestSeconds(() => void texts.map((text) => JSON.parse(text) as object));
  console.log(
    `full scores of ${recordsMax.toLocaleString('en')} records: ${Math.round(recordsMax / whole).toLocaleString('en')}/s, ${(whole / bare).toFixed(1)} × the time of reading them from JSON`,
  );
  want('thousand records a second', recordsMax / whole / 1000, '>=', 10);
  want('ten times the records, times the time', whole / tenth, '<=', 12);
}

/** Domains that were just probed, through every stage of scoring. */
async function runStage(count: number): Promise<{ readonly seconds: number; readonly bareSeconds: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  const clock = { now: () => nowMs };
  const { settings } = readConfig({ environment: {}, flags: {} });
  const stores = openEmbeddedStores({ data: directory, clock });
  try {
    const updates = Array.from({ length: count }, (_, at) => {
      const { domain_risk: _risk, ...record } = recordOf(at, count);
      const normal = normaliseRecord(JSON.parse(JSON.stringify(record)));
      if ('faults' in normal) throw new Error(normal.faults.join());
      return { ...normal, source: 'bench', seenMs: nowMs };
    });
    for (let from = 0; from < count; from += 500)
      await stores.domains.upsert(updates.slice(from, from + 500));
    const bad = updates.filter((_, at) => at % 10 === 0).map(({ record: { domain } }) => ({ domain }));
    const reading = { list: 'bench', label: 'phishing', weight: 1, id: 1, untilMs: undefined } as const;
    await stores.risks.addListed(reading, bad);
    const tally = new ScoringTally();
    const scorer = openRiskScorer(settings);
    const onFailure = (error: unknown) => console.error(error);
    const stages = scoringStages({ ...stores, settings, scorer, clock, onFailure }, tally);
    const began = performance.now();
    for (let before = -1; before !== tally.all.scored; ) {
      before = tally.all.scored;
      for (const stage of stages) await stage();
    }
    const seconds = (performance.now() - began) / 1000;
    console.log(`${count.toLocaleString('en')} domains: ${JSON.stringify(tally.all)}`);
    return {
      seconds,
      bareSeconds: await upsertSeconds(
        stores.domains,
        updates.map(({ record }) => record.domain),
      ),
    };
  } finally {
    await stores.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What it costs to write as many scores and nothing else. */
async function upsertSeconds(domains: DomainStore, all: readonly string[]): Promise<number> {
  const began = performance.now();
  for (let from = 0; from < all.length; from += 200)
    await domains.upsert(
      all.slice(from, from + 200).map((domain) => ({
        record: { domain, domain_risk: { risk_score: 50, components: [] } },
        members: ['domain_risk'],
        source: 'bench',
        seenMs: nowMs,
      })),
    );
  return (performance.now() - began) / 1000;
}

async function scoreInStores(): Promise<void> {
  const [few, many] = [await runStage(1000), await runStage(10_000)];
  const perSecond = Math.round(10_000 / many.seconds);
  console.log(
    `the stage, durable, with neighbours scored again: ${perSecond.toLocaleString('en')} domains/s`,
  );
  want('times a bare upsert of the same scores', many.seconds / many.bareSeconds, '<=', 8);
  want('ten times the domains, times the time for each', many.seconds / (10 * few.seconds), '<=', 1.5);
}

export async function bench(): Promise<void> {
  scoreNames();
  scoreRecords();
  await scoreInStores();
}

function scoreNames(): void {
  const loadSeconds = fastestSeconds(() => readModel());
  want('the model is read in ms', loadSeconds * 1000, '<=', 200);
  const scorer = new NameScorer(readModel());
  const all = names();
  const [few, many] = [linesOf(all, namesMax / 10), linesOf(all, namesMax)];
  scoreSeconds(scorer, few);
  const [tenth, whole] = [scoreSeconds(scorer, few), scoreSeconds(scorer, many)];
  const bare = fastestSeconds(() => many.toString('latin1').split('\n').length);
  console.log(
    `${namesMax.toLocaleString('en')} names, three threats each: ${(whole / bare).toFixed(0)} × the time of dividing lines`,
  );
  want('thousand names a second', namesMax / whole / 1000, '>=', 50);
  want('ten times the names, times the time', whole / tenth, '<=', 12);
  const explained = all.slice(0, 5000).flatMap((name) => findNameParts(name) ?? []);
  const seconds = fastestSeconds(() => {
    for (const parts of explained) explainName(scorer, parts, 'phishing');
  });
  console.log(`with reasons: ${Math.round(explained.length / seconds).toLocaleString('en')} names/s`);
}
