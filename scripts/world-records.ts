/**
 * Records of a world with what is true of them, to train and measure models: `node scripts/world-records.ts 3 1500 12 > records.ndjson`
 * lets twelve hours pass in the world of seed 3 with 1500 domains, looks at all of them with all collectors, and prints a line for each.
 * A fourth argument, `ageless`, leaves out when domains were registered: how old the bad ones of a world are is what its story wants.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { allCollectors, hurriedSettings } from '../bench/all-collectors.ts';
import { startCollecting } from '../src/collect/runner/start-collecting.ts';
import type { DomainRecord } from '../src/model/record/domain-record.ts';
import type { Settings } from '../src/model/settings.ts';
import { openDomainStore } from '../src/store/embedded/domain-store.ts';
import { openJobStore } from '../src/store/embedded/job-store.ts';
import { openNameStore } from '../src/store/embedded/name-store.ts';
import { openStreamStore } from '../src/store/embedded/stream-store.ts';
import { WorldClock } from '../world/clock.ts';
import { startWorld } from '../world/start-world.ts';
import { Story } from '../world/story/story.ts';
import type { ActorKind, WorldDomain } from '../world/world-domain.ts';

const [seed = 1, domains = 1500, hours = 12] = process.argv.slice(2, 5).map(Number);
const isAgeless = process.argv[5] === 'ageless';
const hourMs = 3_600_000;
const eventsPerHour = 300;
const atOnce = 16;
const clock = { now: () => Date.now() };

/** Bad and good ones weigh the same, as much as so many records. */
const sideWeight = 1000;

/** The hostile are neither: what they say is there to do harm, not to be believed. */
const labelOf: Readonly<Record<ActorKind, string | undefined>> = {
  brand: 'good',
  owner: 'good',
  parker: 'good',
  crew: 'phishing',
  hostile: undefined,
};

function tell(error: unknown): void {
  console.error(error);
}

async function collectAll(
  directory: string,
  settings: Settings,
  all: readonly WorldDomain[],
  print: (line: string) => void,
): Promise<void> {
  const stores = {
    domains: openDomainStore(directory, clock),
    streams: openStreamStore(directory),
    jobs: openJobStore(directory),
    names: openNameStore(directory),
  };
  const collecting = startCollecting({
    ...stores,
    collectors: allCollectors(settings, clock, tell),
    clock,
    settings: { ...settings.collect, newDomains: false },
    onFailure: tell,
  });
  try {
    const dueMs = clock.now();
    await stores.jobs.enqueue(all.map(({ name }) => ({ kind: 'collect', subject: name, dueMs })));
    const settled = () => {
      const { done, retried, failed } = collecting.statistics().jobs;
      return done + retried + failed;
    };
    while (settled() < all.length) await pause(100);
    await collecting.close();
    const observed = new Date(clock.now()).toISOString();
    const told = all.flatMap(({ name, actor }) => {
      const label = labelOf[actor];
      return label === undefined ? [] : [{ name, label }];
    });
    for (const { name, label } of told) {
      const [record] = await stores.domains.findRecords([name]);
      const alike = told.filter((other) => other.label === label).length;
      const weight = Number((sideWeight / alike).toFixed(4));
      if (record)
        print(JSON.stringify({ ...asTold(record), labels: [label], observed, weight, identities: false }));
    }
  } finally {
    for (const store of Object.values(stores)) await store.close();
  }
}

function asTold({ parsed_whois, parsed_domain_rdap, ...others }: DomainRecord): DomainRecord {
  return {
    ...others,
    ...(parsed_whois ? { parsed_whois: ageless(parsed_whois) } : {}),
    ...(parsed_domain_rdap ? { parsed_domain_rdap: ageless(parsed_domain_rdap) } : {}),
  };
}

function ageless<Parsed extends { create_date?: string }>(parsed: Parsed): Parsed {
  return isAgeless ? JSON.parse(JSON.stringify({ ...parsed, create_date: undefined })) : parsed;
}

const directory = mkdtempSync(join(tmpdir(), 'world-records-'));
const options = {
  seed,
  domains,
  startMs: clock.now() - hours * hourMs,
  speed: 0,
  eventsPerHour,
  hostile: false,
};
const world = await startWorld({ ...options, directory: join(directory, 'world') }, clock.now);
try {
  await world.advance(hours * hourMs);
  // The same world, to know who is in it.
  const twin = new WorldClock({ ...options, machineNow: clock.now });
  const { view } = new Story(options, twin);
  await twin.advance(hours * hourMs);
  await collectAll(directory, hurriedSettings(world.settings, atOnce), [...view.domains()], (line) =>
    console.log(line),
  );
} finally {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
}
