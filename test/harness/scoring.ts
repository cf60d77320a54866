/** Scoring step by step: it does all that is to be done when the test says so, over real stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { ScoringTally } from '../../src/collect/scoring/scoring-counts.ts';
import { type ScoringNeeds, scoringStages } from '../../src/collect/scoring/scoring-stages.ts';
import { readConfig } from '../../src/config.ts';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import type { DomainRisk } from '../../src/model/risk/assessment.ts';
import { findComponent } from '../../src/model/risk/domain-risk.ts';
import type { VerdictLabel } from '../../src/model/risk/verdict.ts';
import type { Settings } from '../../src/model/settings.ts';
import { feedStream } from '../../src/model/stream-names.ts';
import { openRiskScorer } from '../../src/product/risk/open-scorer.ts';
import type { DomainStore } from '../../src/store/domain-store.ts';
import { openDomainStore } from '../../src/store/embedded/domain-store.ts';
import { openJobStore } from '../../src/store/embedded/job-store.ts';
import { openNameStore } from '../../src/store/embedded/name-store.ts';
import { openRiskStore } from '../../src/store/embedded/risk-store.ts';
import { openRrsetStore } from '../../src/store/embedded/rrset-store.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { openWatchlistStore } from '../../src/store/embedded/watchlist-store.ts';
import type { NameStore } from '../../src/store/name-store.ts';
import type { RiskStore } from '../../src/store/risk-store.ts';
import type { RrsetStore } from '../../src/store/rrset-store.ts';
import type { WatchlistStore } from '../../src/store/watchlist-store.ts';
import { feedLines } from './discovering.ts';
import { TestClock } from './test-clock.ts';

export interface ScoringWorld extends Omit<ScoringNeeds, 'onFailure'> {
  readonly domains: DomainStore;
  readonly names: NameStore;
  readonly rrsets: RrsetStore;
  readonly watchlist: WatchlistStore;
  readonly clock: TestClock;
  readonly settings: Settings;
}

export const { settings: usualSettings } = readConfig({ environment: {}, flags: {} });
export const usualScorer = openRiskScorer(usualSettings);

/** One for all tests of a file, made outside of them: they keep apart by names. */
export function scoringWorld(): ScoringWorld {
  const directory = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-test-'));
  const clock = new TestClock();
  const stores = {
    domains: openDomainStore(directory, clock),
    risks: openRiskStore(directory),
    names: openNameStore(directory),
    streams: openStreamStore(directory),
    jobs: openJobStore(directory),
    rrsets: openRrsetStore(directory, clock),
    watchlist: openWatchlistStore(directory),
  };
  after(async () => {
    for (const store of Object.values(stores)) await store.close();
    rmSync(directory, { recursive: true });
  });
  return { ...stores, clock, settings: usualSettings, scorer: usualScorer };
}

/** Until nothing is left to be done at this moment. What it counted. */
export async function scoreAll(world: Omit<ScoringNeeds, 'onFailure'>) {
  const tally = new ScoringTally();
  const onFailure = (error: unknown) => {
    throw error;
  };
  const stages = scoringStages({ ...world, onFailure }, tally);
  for (let before = ''; before !== JSON.stringify(tally.all); ) {
    before = JSON.stringify(tally.all);
    for (const stage of stages) await stage();
  }
  return tally.all;
}

/** A source tells of domains, as it does before they come into the feed. */
export async function discover(
  { names, streams, clock }: Pick<ScoringWorld, 'names' | 'streams' | 'clock'>,
  ...domains: string[]
): Promise<void> {
  await names.take('test', domains, clock.now(), undefined);
  const bytes = feedLines(domains, clock.now());
  await streams.append([{ stream: feedStream('domaindiscovery'), bytes }], clock.now());
}

/** A collector writes what it found; the rest of a record stays. */
export async function write(
  { domains, clock }: Pick<ScoringWorld, 'domains' | 'clock'>,
  ...records: DomainRecord[]
): Promise<void> {
  const membersOf = (record: DomainRecord) => Object.keys(record) as (keyof DomainRecord)[];
  await domains.upsert(
    records.map((record) => ({ record, members: membersOf(record), source: 'test', seenMs: clock.now() })),
  );
}

let readings = 0;

/** A list names domains, for so long where it is told. */
export async function say(
  { risks, clock }: { readonly risks: RiskStore; readonly clock: TestClock },
  label: VerdictLabel,
  domains: readonly string[],
  forSeconds?: number,
): Promise<void> {
  const untilMs = forSeconds === undefined ? undefined : clock.now() + forSeconds * 1000;
  readings += 1;
  const reading = { list: `${label}-list`, label, weight: 1, id: readings, untilMs };
  await risks.takeListed(
    reading,
    domains.map((domain) => ({ domain })),
  );
}

export async function riskOf(
  { domains }: Pick<ScoringWorld, 'domains'>,
  domain: string,
): Promise<DomainRisk | undefined> {
  const [record] = await domains.findRecords([domain]);
  return record?.domain_risk;
}

export async function componentOf(
  world: Pick<ScoringWorld, 'domains'>,
  domain: string,
  name: string,
): Promise<number | undefined> {
  const risk = await riskOf(world, domain);
  return risk && findComponent(risk, name);
}

/** What a crew's domains have in common. */
export function crewRecord(domain: string, crew: string): DomainRecord {
  return {
    domain,
    registrar: `Registrar ${crew}`,
    registrant_contact: { name: `Crew ${crew}`, email: [`${crew}@crew-${crew}.example`] },
    name_server: [{ host: `ns1.crew-${crew}.example` }, { host: `ns2.crew-${crew}.example` }],
    analytics_code: `UA-${crew}-1`,
  };
}
