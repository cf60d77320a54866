import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  archiveFileName,
  dayOf,
  feedArchives,
  firstMinuteOf,
  isArchiveFileName,
} from '../../src/model/archive-names.ts';

const minuteAt = (instant: string) => Date.parse(instant) / 60_000;
const archiveOf = (name: string) => feedArchives.find((one) => one.name === name) ?? assert.fail(name);

const examples = [
  [
    'domaindiscovery',
    '2026-02-20T17:00Z',
    'domaindiscovery/2026-02-20/domaindiscovery-20260220.1700-1800.json.gz',
  ],
  ['nod', '2026-02-20T23:00Z', 'nod/2026-02-20/nod-20260220.2300-2400.json.gz'],
  ['nod', '2026-02-21T00:00Z', 'nod/2026-02-21/nod-20260221.0000-0100.json.gz'],
  ['daily_ip_risk', '2026-02-20T00:00Z', 'daily_ip_risk/2026-02-20/daily_ip_risk-20260220.json.gz'],
] as const;

for (const [archive, instant, name] of examples) {
  test(`DL-06 the file of ${archive} from ${instant} on is ${name}`, () => {
    assert.equal(archiveFileName(archiveOf(archive), minuteAt(instant)), name);
  });
}

test('DL-02 DL-03 each of the nine feeds has an hourly archive, and five have a daily one', () => {
  assert.deepEqual(
    feedArchives.map(({ name, spanMinutes }) => `${name} ${spanMinutes}`).sort(),
    [
      ...['nod', 'nad', 'noh', 'domainrdap', 'domaindiscovery', 'domainrisk', 'domainhotlist'].map(
        (name) => `${name} 60`,
      ),
      ...['iprisk', 'iphotlist'].map((name) => `${name} 60`),
      ...['discovery', 'hotlist', 'risk'].map((kind) => `daily_domain_${kind} 1440`),
      ...['hotlist', 'risk'].map((kind) => `daily_ip_${kind} 1440`),
    ].sort(),
  );
});

test('a file name is valid and gives the first minute of its file', () => {
  const anyTime = fc.record({
    archive: fc.constantFrom(...feedArchives),
    ms: fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
  });
  fc.assert(
    fc.property(anyTime, ({ archive, ms }) => {
      const minute = Math.floor(ms / 60_000);
      const first = minute - (minute % archive.spanMinutes);
      const name = archiveFileName(archive, first);
      assert.ok(isArchiveFileName(name), name);
      assert.equal(firstMinuteOf(name), first);
      assert.ok(name.includes(`/${dayOf(first)}/`));
    }),
  );
});

test('names sort chronologically', () => {
  const archive = archiveOf('nod');
  const names = Array.from({ length: 100 }, (_, hour) =>
    archiveFileName(archive, minuteAt('2026-02-26T00:00Z') + hour * 60),
  );
  assert.deepEqual(names.toSorted(), names);
});
