/**
 * Labelled records of a simulated world, to train and evaluate models: `node tools/training-data/world-records.ts 3 1500 12 > records.ndjson`
 * advances the world of seed 3 with 1500 domains by twelve hours, collects all of them with all collectors, and prints one line each.
 * A fourth argument, `ageless`, omits registration dates, because in the simulation the age of bad domains is arbitrary.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { allCollectors, hurriedSettings } from '../../bench/pipeline/all-collectors.ts';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import type { Settings } from '../../src/model/settings/settings.ts';
import { startCollectors } from '../../src/pipeline/collection/start-collectors.ts';
import { openEmbeddedStores } from '../../src/store/embedded/open-stores.ts';
import { WorldClock } from '../../world/clock.ts';
import { startWorld } from '../../world/start-world.ts';
import { Story } from '../../world/story/story.ts';
import type { ActorKind, WorldDomain } from '../../world/world-domain.ts';

const [seed = 1, domains = 1500, hours = 12] = process.argv.slice(2, 5).map(Number);
const isAgeless = process.argv[5] === 'ageless';
const hourMs = 3_600_000;
const eventsPerHour = 300;
const concurrency = 16;
const clock = { now: () => Date.now() };

/** The total weight of the bad records, and of the good ones. */
const sideWeight = 1000;

/** Hostile actors are excluded: their data is meant to break parsers. */
const labelOf: Readonly<Record<ActorKind, string | undefined>> = {
  brand: 'good',
  owner: 'good',
  parker: 'good',
  crew: 'phishing',
  hostile: undefined,
};

function reportError(error: unknown): void {
  console.error(error);
}

async function collectAll(
  directory: string,
  settings: Settings,
  all: readonly WorldDomain[],
  print: (line: string) => void,
): Promise<void> {
  const stores = openEmbeddedStores({ data: directory, clock });
  const collecting = startCollectors({
    ...stores,
    collectors: allCollectors(settings, clock, reportError),
    clock,
    settings: { ...settings.collect, newDomains: false },
    onFailure: reportError,
  });
  try {
    const dueMs = clock.now();
    await stores.jobs.enqueue(all.map(({ name }) => ({ kind: 'collect', subject: name, dueMs })));
    const finished = () => {
      const { done, retried, failed } = collecting.statistics().jobs;
      return done + retried + failed;
    };
    while (finished() < all.length) await pause(100);
    await collecting.close();
    const observed = new Date(clock.now()).toISOString();
    const labelled = all.flatMap(({ name, actor }) => {
      const label = labelOf[actor];
      return label === undefined ? [] : [{ name, label }];
    });
    for (const { name, label } of labelled) {
      const [record] = await stores.domains.findRecords([name]);
      const alike = labelled.filter((other) => other.label === label).length;
      const weight = Number((sideWeight / alike).toFixed(4));
      if (record)
        print(
          JSON.stringify({ ...trainingRecord(record), labels: [label], observed, weight, identities: false }),
        );
    }
  } finally {
    await stores.close();
  }
}

function trainingRecord({ parsed_whois, parsed_domain_rdap, ...others }: DomainRecord): DomainRecord {
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
  // The same world again, to know the actor of each domain.
  const twin = new WorldClock({ ...options, machineNow: clock.now });
  const { view } = new Story(options, twin);
  await twin.advance(hours * hourMs);
  await collectAll(directory, hurriedSettings(world.settings, concurrency), [...view.domains()], (line) =>
    console.log(line),
  );
} finally {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
}
