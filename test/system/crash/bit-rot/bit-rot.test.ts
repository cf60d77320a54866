/**
 * Bit rot: random single-bit flips over all kinds of stored files. What a store serves is right or an error, nothing crashes, and
 * verification names the file. SEED and FLIPS in the environment repeat a run, or extend it.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import type { Round, RoundOutcome } from './bit-rot-worker.ts';
import { makeSample } from './stored-sample.ts';

const worker = join(import.meta.dirname, 'bit-rot-worker.ts');
const processes = 2;
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const flipsWanted = Number(process.env['FLIPS'] ?? 500);

/** Kinds of files, the store that reads them, and their share of the flips. */
const kinds = {
  'stream segments': { pattern: 'streams/*/*.ndjson', section: 'streams', share: 14 },
  archives: { pattern: 'archives/*/*/*', section: 'archives', share: 12 },
  images: { pattern: 'images/*/*.png', section: 'images', share: 10 },
  'passive DNS tables': {
    pattern: 'rrsets/*.{forward,inverse,distinct,trigram}',
    section: 'rrsets',
    share: 30,
  },
  'rrsets/manifest.db': { pattern: 'rrsets/manifest.db', section: 'rrsets', share: 6 },
  'streams/streams.db': { pattern: 'streams/streams.db', section: 'streams', share: 6 },
  'images.db': { pattern: 'images.db', section: 'images', share: 4 },
  'domains.db': { pattern: 'domains/domains.db', section: 'domains', share: 8 },
  'accounts.db': { pattern: 'accounts.db', section: 'accounts', share: 4 },
  'names.db': { pattern: 'names.db', section: 'names', share: 3 },
  'risks.db': { pattern: 'risks.db', section: 'risks', share: 3 },
} as const;
type Kind = keyof typeof kinds;

/** SQLite has no checksums: a flip in a column is served as it is, unless we keep a checksum of the value. */
const isCovered = (kind: Kind) => !kind.endsWith('.db');

/** Mulberry32: small, and the same everywhere. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a flip may spoil: a stream, an archive with its checksum, an image, one kind of table. */
function unitOf(file: string): string {
  if (file.startsWith('rrsets/')) return extname(file);
  return file.startsWith('streams/') ? dirname(file) : file.replace('.sha256', '');
}

function chooseRounds(data: string): Round[] {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return (Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][]).flatMap(
    ([kind, { pattern, section, share }]) => {
      const units = Object.values(Object.groupBy(globSync(pattern, { cwd: data }).sort(), unitOf));
      assert.ok(units.length > 0, pattern);
      const flips = Array.from({ length: Math.round((flipsWanted * share) / 100) }, (_, index) => {
        const files = units[index % units.length] as string[];
        const file = files[below(files.length)] as string;
        return { file, at: below(statSync(join(data, file)).size), bit: below(8) };
      });
      return Array.from({ length: Math.ceil(flips.length / units.length) }, (_, index) => ({
        kind,
        section,
        flips: flips.slice(index * units.length, (index + 1) * units.length),
      }));
    },
  );
}

/** Fails if the process ends before all rounds are done, and names the one it died of. */
async function tryRounds(sample: string, rounds: readonly Round[]): Promise<RoundOutcome[]> {
  const child = fork(worker, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--max-old-space-size=512'],
  });
  const outcomes: RoundOutcome[] = [];
  let begun: Round | undefined;
  child.on('message', (message: { begun?: Round; done?: RoundOutcome }) => {
    begun = message.begun ?? begun;
    if (message.done) outcomes.push(message.done);
  });
  child.send({ sample, rounds });
  await once(child, 'exit');
  assert.equal(outcomes.length, rounds.length, `the process died of ${JSON.stringify(begun)}`);
  return outcomes;
}

test(`of ${flipsWanted} single-bit flips none in a file is served wrong, nothing crashes, and verification names each`, async (t) => {
  const sample = join(temporaryDirectory(t), 'sample');
  await makeSample(sample);
  t.diagnostic(`SEED=${seed}`);
  const rounds = chooseRounds(sample);
  const shares = Array.from({ length: processes }, (_, index) =>
    rounds.filter((_round, at) => at % processes === index),
  );
  const outcomes = (await Promise.all(shares.map((share) => tryRounds(sample, share)))).flat();
  for (const kind of Object.keys(kinds) as Kind[]) {
    const some = outcomes.filter((outcome) => outcome.kind === kind);
    const wrong = some.filter((outcome) => outcome.wrong.length > 0);
    const unnamed = some.filter((outcome) => outcome.unnamed.length > 0);
    const both = wrong.filter((outcome) => outcome.unnamed.length > 0);
    const flips = some.reduce((sum, outcome) => sum + outcome.flips.length, 0);
    t.diagnostic(
      `${kind}: ${flips} flips in ${some.length} rounds; ${wrong.length} served wrong, ${unnamed.length} not named, ${both.length} both`,
    );
    // The text of a record has a checksum; the indexes that lead to it have none.
    if (kind === 'domains.db')
      assert.deepEqual(
        wrong.filter(({ altered }) => altered.some((question) => question.endsWith('.example'))),
        [],
      );
    if (!isCovered(kind)) continue;
    assert.deepEqual(wrong, []);
    assert.deepEqual(unnamed, []);
  }
});
