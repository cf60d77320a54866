import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  bytesOf,
  daysUntilFull,
  diskPerDay,
  sizeText,
  volumeOf,
} from '../../../src/cli/init/disk-per-day.ts';

const log = {
  operator: 'Elm',
  log: { name: 'elm1', url: 'https://elm.example/', kind: 'static', publicKey: 'x' },
} as const;
const collect = { domainsPerSecond: 20 };

test('without certificate logs no growth is expected', () => {
  assert.deepEqual(diskPerDay({ logs: [], probesAll: true }, { collect }), {
    atFirst: 0,
    upToThreeMonths: 0,
    later: 0,
    records: 0,
  });
});

test('probing every domain is bounded by the rate of probes', () => {
  const { records } = diskPerDay({ logs: [log], probesAll: true }, { collect });
  assert.equal(records, bytesOf.domainRecord * 20 * 86_400);
  assert.equal(diskPerDay({ logs: [log], probesAll: false }, { collect }).records, 0);
});

test('docs/sizing.md states the figures that init computes with, and what it computes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/sizing.md'), 'utf8');
  const { atFirst, upToThreeMonths, later, records } = diskPerDay(
    { logs: [log], probesAll: true },
    { collect },
  );
  const stated = [
    ...Object.values(bytesOf).map((bytes) => `${bytes.toLocaleString('en')} bytes`),
    ...Object.values(volumeOf).map((count) => count.toLocaleString('en')),
    ...[atFirst, upToThreeMonths, later, records].map((bytes) => `${sizeText(bytes)} a day`),
  ];
  assert.deepEqual(
    stated.filter((text) => !page.includes(text)),
    [],
  );
});

test('how long a disk lasts counts the first week apart', () => {
  const disk = { atFirst: 10, upToThreeMonths: 5, later: 1, records: 0 };
  assert.deepEqual(
    [50, 70, 120].map((bytes) => daysUntilFull(disk, bytes)),
    [5, 7, 17],
  );
});
