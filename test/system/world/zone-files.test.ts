import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { zoneReader } from '../../../src/collect/rrset-formats/zone.ts';
import { nameText, parseName } from '../../../src/model/dns/name.ts';
import { rdataText } from '../../../src/model/dns/rdata-text.ts';
import { typeText } from '../../../src/model/dns/rr-type.ts';
import { settingLeaves } from '../../../src/model/settings/settings.ts';
import { WorldClock } from '../../../world/clock.ts';
import { startZoneFiles } from '../../../world/servers/zone-files.ts';
import { hourMs } from '../../../world/story/life.ts';
import { Story } from '../../../world/story/story.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const startMs = Date.parse('2026-03-01T00:00:00Z');

async function publishing(t: TestContext) {
  const clock = new WorldClock({ startMs, speed: 0, machineNow: () => 0 });
  const story = new Story({ seed: 5, domains: 700, startMs, eventsPerHour: 60, hostile: true }, clock);
  const directory = temporaryDirectory(t);
  const zoneFiles = await startZoneFiles({ view: story.view, clock, directory, hosts: story.hosts });
  t.after(() => zoneFiles.close());
  return { clock, story, directory, zoneFiles };
}

/** The file as our own reader has it: "owner type data", and what it refused. */
function read(directory: string, zone: string) {
  const reader = zoneReader({ seenSeconds: startMs / 1000, origin: parseName(zone) });
  const text = gunzipSync(readFileSync(join(directory, 'zones', `${zone}.zone.gz`))).toString();
  const outcomes = [...text.split('\n').map((line) => reader.line(line)), ...(reader.end?.() ?? [])];
  const sets = outcomes.flatMap((outcome) => (outcome.kind === 'observations' ? outcome.observations : []));
  const records = sets.flatMap(({ owner, type, rdata }) =>
    rdata.map((each) => `${nameText(owner)} ${typeText(type)} ${rdataText(type, each)}`),
  );
  return { records, refused: outcomes.filter((outcome) => outcome.kind === 'malformed') };
}

const delegated = (records: readonly string[], zone: string) =>
  new Set(
    records
      .filter((each) => each.includes(' NS ') && !each.startsWith(`${zone}. `))
      .map((each) => each.split('. ')[0]),
  );

test('every top-level domain has its zone, which our own reader takes whole', async (t) => {
  const { story, directory } = await publishing(t);
  for (const zone of story.view.topLevelDomains) {
    const { records, refused } = read(directory, zone);
    assert.deepEqual(refused, []);
    const registered = [...story.view.domains()].filter(
      ({ name, statuses }) => name.endsWith(`.${zone}`) && !statuses.includes('serverHold'),
    );
    assert.deepEqual(delegated(records, zone), new Set(registered.map(({ name }) => name)));
    assert.ok(records.some((each) => each.startsWith(`${zone}. SOA a.nic.${zone}. `)));
  }
  assert.ok(
    read(directory, 'zon').records.includes(
      `ns1.harbordns.zon. A ${story.hosts.get('ns1.harbordns.zon')?.four}`,
    ),
  );
});

test('a zone is published every hour of the world, and at once when asked', async (t) => {
  const { clock, story, directory, zoneFiles } = await publishing(t);
  const zones = () =>
    new Set(
      story.view.topLevelDomains.flatMap((zone) => [...delegated(read(directory, zone).records, zone)]),
    );
  const { name } = story.errands.registerLookalike('velomarket');
  assert.equal(zones().has(name), false);
  await clock.advance(hourMs);
  await zoneFiles.settled();
  assert.equal(zones().has(name), true);
  story.errands.takeDown(name);
  await Promise.all([zoneFiles.publish(), zoneFiles.publish()]);
  assert.equal(zones().has(name), false);
  assert.deepEqual(
    readdirSync(join(directory, 'zones')).filter((file) => !file.endsWith('.zone.gz')),
    [],
  );
});

test('the setting of zone files names two of them as Nameglass takes it', async (t) => {
  const { zoneFiles } = await publishing(t);
  const sources = JSON.parse(zoneFiles.settings['sources.zoneFiles'] ?? '') as { location: string }[];
  assert.equal(sources.length, 2);
  for (const { location } of sources) assert.ok(readFileSync(location).length > 0);
  assert.ok(settingLeaves.some(({ key }) => key === 'sources.zoneFiles'));
});
