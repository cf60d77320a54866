/** Finds campaigns day by day in a population of the simulated world, through the real stores, and compares them with who runs what. */
import { join } from 'node:path';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { readLinks } from '../../src/pipeline/campaigns/read-links.ts';
import { findCampaigns } from '../../src/product/campaigns/find-campaigns.ts';
import { openEmbeddedStores } from '../../src/store/embedded/open-stores.ts';
import type { Stores } from '../../src/stores.ts';
import { longestPauseMs } from '../harness/longest-pause.ts';
import { ownUsage, type Used } from '../harness/usage.ts';
import type { StoryPopulation } from './story-population.ts';

export interface FoundInStory {
  readonly domains: number;
  /** Of pairs of domains of which at least one is a crew's and that are members of one campaign: how many are of one crew. */
  readonly precision: number;
  /** Of pairs of domains of one crew: how many are members of one campaign. */
  readonly recall: number;
  readonly campaigns: number;
  /** Of the last search, with everything in the stores; the value is the longest pause of the event loop in milliseconds. */
  readonly used: Used<number>;
}

const accountId = 'bench';
const [recordsAtOnce, membersAtOnce] = [1000, 1000];
const options = { membersMin: 3, sharedMax: 500 };
const reason = {
  class: 'exact',
  steps: [],
  name: 'x.example',
  from: 0,
  to: 1,
  text: 'x',
  distance: 0,
} as const;

export async function findInStory(population: StoryPopulation, directory: string): Promise<FoundInStory> {
  let nowMs = population.days[0]?.atMs ?? 0;
  const clock = { now: () => nowMs };
  const stores = openEmbeddedStores({ data: join(directory, `story-${population.crews.size}`), clock });
  try {
    const settings = {
      term: 'x',
      matchSubstringVariations: false,
      nameserverExclusions: [],
      textExclusions: [],
    };
    const { id } = await stores.monitors.createMonitor(accountId, settings, {
      username: 'bench',
      atMs: nowMs,
    });
    const listed = new Set<string>();
    for (const { atMs, records } of population.days) {
      nowMs = atMs;
      for (const round of roundsOf(records)) {
        for (let at = 0; at < round.length; at += recordsAtOnce)
          await store(round.slice(at, at + recordsAtOnce), { stores, monitorId: id, listed, atMs });
        await readLinks({ ...stores, clock });
      }
      await findCampaigns(accountId, { ...options, nowMs }, stores);
    }
    const used = await ownUsage(() =>
      longestPauseMs(() => findCampaigns(accountId, { ...options, nowMs }, stores)),
    );
    return { domains: listed.size, used, ...judge(await membersOf(stores), population.crews) };
  } finally {
    await stores.close();
  }
}

/** Each domain is in a round once: what is collected twice a day is seen twice. */
function roundsOf(records: readonly DomainRecord[]): readonly (readonly DomainRecord[])[] {
  const times = new Map<string, number>();
  const rounds: DomainRecord[][] = [];
  for (const record of records) {
    const at = times.get(record.domain) ?? 0;
    times.set(record.domain, at + 1);
    (rounds[at] ??= []).push(record);
  }
  return rounds;
}

interface StoreNeeds {
  readonly stores: Stores;
  readonly monitorId: string;
  /** Those that are on the list already. */
  readonly listed: Set<string>;
  readonly atMs: number;
}

async function store(
  records: readonly DomainRecord[],
  { stores, monitorId, listed, atMs }: StoreNeeds,
): Promise<void> {
  await stores.domains.upsert(records.map((record) => ({ record, source: 'story', seenMs: atMs })));
  const names = records.map(({ domain }) => domain);
  await stores.watchlist.addDiscoveries(
    names.map((domain) => ({
      accountId,
      domain,
      tld: domain.slice(domain.indexOf('.') + 1),
      discoveredMs: atMs,
      matches: [{ monitorId, reason: { ...reason, name: domain } }],
      facts: undefined,
    })),
  );
  const changed = names.filter((name) => listed.has(name));
  await noteChanges(changed, stores, atMs);
  for (const name of names) listed.add(name);
}

/** As discovery does when it follows the records. */
async function noteChanges(names: readonly string[], { watchlist }: Stores, nowMs: number): Promise<void> {
  const from = await watchlist.recordChangesCheckpoint();
  const facts = {
    active: true,
    mxExists: false,
    nameServers: [],
    riskScore: undefined,
    riskStatus: undefined,
    riskComponents: undefined,
  };
  const changes = names.map((domain) => ({ domain, facts, changed: undefined }));
  await watchlist.applyRecordChanges(changes, { from, to: String(Number(from) + 1) }, nowMs);
}

async function membersOf({ campaigns }: Stores): Promise<readonly (readonly string[])[]> {
  const all: string[][] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await campaigns.listCampaigns(accountId, { offset, limit: 100 });
    for (const { id, members: total } of page.campaigns) {
      const names: string[] = [];
      while (names.length < total) {
        const read = await campaigns.listMembers(accountId, id, {
          offset: names.length,
          limit: membersAtOnce,
        });
        names.push(...(read?.members ?? []).map(({ domain }) => domain));
      }
      all.push(names);
    }
    if (page.campaigns.length < 100) return all;
  }
}

const pairs = (count: number) => (count * (count - 1)) / 2;

export function judge(
  campaigns: readonly (readonly string[])[],
  crews: ReadonlyMap<string, string>,
): Pick<FoundInStory, 'precision' | 'recall' | 'campaigns'> {
  let [together, right] = [0, 0];
  for (const names of campaigns) {
    const sizes = [
      ...Map.groupBy(
        names.filter((name) => crews.has(name)),
        (name) => crews.get(name),
      ).values(),
    ];
    const others = names.length - sizes.reduce((sum, { length }) => sum + length, 0);
    together += pairs(names.length) - pairs(others);
    right += sizes.reduce((sum, { length }) => sum + pairs(length), 0);
  }
  const truth = [...Map.groupBy(crews.values(), (crew) => crew).values()];
  const wanted = truth.reduce((sum, { length }) => sum + pairs(length), 0);
  return { campaigns: campaigns.length, precision: right / together, recall: right / wanted };
}
