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
import type { Flip, Round, RoundOutcome, Work } from './bit-rot-worker.ts';
import type { DatabaseFlip, DatabaseOutcome } from './flip-database.ts';

const worker = join(import.meta.dirname, 'bit-rot-worker.ts');
const processes = 2;
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const flipsWanted = Number(process.env['FLIPS'] ?? 500);

/** Kinds of files, the store that reads them, and their share of the flips. */
const kinds = {
  'stream segments': { pattern: 'streams/*/*.ndjson', section: 'streams', share: 10 },
  archives: { pattern: 'archives/*/*/*', section: 'archives', share: 8 },
  images: { pattern: 'images/*/*.png', section: 'images', share: 6 },
  'passive DNS tables': {
    pattern: 'rrsets/*.{forward,inverse,distinct,trigram}',
    section: 'rrsets',
    share: 20,
  },
} as const;
type Kind = keyof typeof kinds;

/** Files of databases, in samples that were closed or killed. Every flip in one has a copy to itself. */
const databaseKinds = {
  databases: { pattern: '{.,*}/*.db', samples: ['closed', 'killed'], share: 34 },
  'logs of databases': { pattern: '{.,*}/*.db-wal', samples: ['killed'], share: 14 },
  'checksums of databases': { pattern: '{.,*}/*.db-crc', samples: ['closed', 'killed'], share: 8 },
} as const;
type DatabaseKind = keyof typeof databaseKinds;

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

function chooseRounds(data: string, below: (limit: number) => number): Round[] {
  return (Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][]).flatMap(
    ([kind, { pattern, section, share }]) => {
      const units = Object.values(Object.groupBy(globSync(pattern, { cwd: data }).sort(), unitOf));
      assert.ok(units.length > 0, pattern);
      const flips = Array.from({ length: Math.round((flipsWanted * share) / 100) }, (_, index) => {
        const files = units[index % units.length] as string[];
        return flipIn(data, files[below(files.length)] as string, below);
      });
      return Array.from({ length: Math.ceil(flips.length / units.length) }, (_, index) => ({
        kind,
        section,
        flips: flips.slice(index * units.length, (index + 1) * units.length),
      }));
    },
  );
}

function chooseDatabaseFlips(
  directory: string,
  kind: DatabaseKind,
  below: (limit: number) => number,
): DatabaseFlip[] {
  const { pattern, samples, share } = databaseKinds[kind];
  const files = samples
    .map((name) => join(directory, name))
    .flatMap((sample) =>
      globSync(pattern, { cwd: sample })
        .sort()
        .map((file) => ({ sample, file })),
    )
    .filter(({ sample, file }) => statSync(join(sample, file)).size > 0);
  assert.ok(files.length >= 10, `${files.length} files ${pattern}`);
  return Array.from({ length: Math.round((flipsWanted * share) / 100) }, (_, index) => {
    const { sample, file } = files[index % files.length] as (typeof files)[0];
    return { sample, ...flipIn(sample, file, below) };
  });
}

function flipIn(data: string, file: string, below: (limit: number) => number): Flip {
  return { file, at: below(statSync(join(data, file)).size), bit: below(8) };
}

/** Fails if the process ends before all is done, and names what it died of. */
async function inProcess<Outcome>(work: Work, count: number): Promise<Outcome[]> {
  const child = fork(worker, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--max-old-space-size=512'],
  });
  const outcomes: Outcome[] = [];
  let begun: unknown;
  child.on('message', (message: { begun?: unknown; done?: Outcome }) => {
    begun = message.begun ?? begun;
    if (message.done) outcomes.push(message.done);
  });
  child.send(work);
  await once(child, 'exit');
  assert.equal(outcomes.length, count, `the process died of ${JSON.stringify(begun)}`);
  return outcomes;
}

function shared<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: processes }, (_, index) =>
    items.filter((_item, at) => at % processes === index),
  );
}

test(`of ${flipsWanted} single-bit flips none is served wrong, nothing crashes, and verification names each`, async (t) => {
  const directory = temporaryDirectory(t);
  t.diagnostic(`SEED=${seed}`);
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const [closed, killed] = [join(directory, 'closed'), join(directory, 'killed')];
  await Promise.all([
    inProcess({ make: closed, isKilled: false }, 0),
    inProcess({ make: killed, isKilled: true }, 0),
  ]);

  await t.test('in files', async (inner) => {
    const outcomes = await Promise.all(
      shared(chooseRounds(closed, below)).map((rounds) =>
        inProcess<RoundOutcome>({ sample: closed, rounds }, rounds.length),
      ),
    );
    for (const kind of Object.keys(kinds) as Kind[]) {
      const some = outcomes.flat().filter((outcome) => outcome.kind === kind);
      inner.diagnostic(`${kind}: ${some.reduce((sum, { flips }) => sum + flips.length, 0)} flips`);
      assert.deepEqual(
        some.filter(({ wrong, unnamed }) => wrong.length + unnamed.length > 0),
        [],
      );
    }
  });

  for (const kind of Object.keys(databaseKinds) as DatabaseKind[])
    await t.test(`in ${kind}`, async (inner) => {
      const flips = chooseDatabaseFlips(directory, kind, below);
      const outcomes = (
        await Promise.all(
          shared(flips).map((databaseFlips) =>
            inProcess<DatabaseOutcome>({ databaseFlips }, databaseFlips.length),
          ),
        )
      ).flat();
      const unnamed = outcomes.filter(({ named, file }) => !named.some((name) => name.startsWith(file)));
      const refused = outcomes.filter(({ isRefused }) => isRefused);
      inner.diagnostic(`${flips.length} flips; ${unnamed.length} not named, ${refused.length} refused`);
      assert.deepEqual(
        outcomes.filter(({ isWrong }) => isWrong),
        [],
      );
      // Nobody reads what is behind the end of a log, nor pages whose latest content is in the log.
      if (kind === 'checksums of databases') assert.deepEqual(unnamed, []);
      else
        assert.deepEqual(
          unnamed.filter(({ sample }) => sample === closed),
          [],
        );
      // Checksums that rot do not stop a database that is right.
      assert.equal(refused.length, kind === 'checksums of databases' ? 0 : flips.length - unnamed.length);
    });
});
