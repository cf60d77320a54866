/** Crash test: after a writer is killed or a system call fails, every acknowledged line is there exactly once, and no torn line is served. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { needsPackage } from '../../harness/debian-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { checkStreams } from '../../harness/workers/streams/crash-streams.ts';
import { checkJournaled } from '../../harness/workers/streams/journal-crash.ts';

const workers = join(import.meta.dirname, '../../harness/workers/streams');
const markWorker = join(workers, 'stream-append-worker.ts');
const journalWorker = join(workers, 'journal-append-worker.ts');

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly acknowledged: number;
}

async function run(
  command: readonly string[],
  worker: readonly string[],
  count: number,
  killAfterMs?: number,
): Promise<Outcome> {
  const args = [...command, process.execPath, ...worker, String(count)];
  const child = spawn(args[0] as string, args.slice(1), { stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  if (killAfterMs !== undefined) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
    await pause(killAfterMs);
    child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  const numbers = out.split('\n').filter((line) => /^\d+$/.test(line));
  return {
    code: child.exitCode,
    signal: child.signalCode,
    out,
    acknowledged: Number(numbers.at(-1) ?? 0),
  };
}

test('a writer killed at random moments loses and duplicates no acknowledged line', async (t) => {
  const directory = temporaryDirectory(t);
  let done = 0;
  for (let round = 0; round < 12; round += 1) {
    const { acknowledged, signal } = await run([], [markWorker, directory], 1_000_000, (round * 7) % 60);
    assert.equal(signal, 'SIGKILL');
    done = await checkStreams(directory, Math.max(acknowledged, done));
  }
  assert.ok(done > 0);
});

test('a writer of small appends killed at random moments loses and duplicates no acknowledged line', async (t) => {
  const directory = temporaryDirectory(t);
  let done = 0;
  for (let round = 0; round < 12; round += 1) {
    const { acknowledged, signal } = await run(
      [],
      [journalWorker, directory, 'ch1'],
      1_000_000,
      (round * 37) % 300,
    );
    assert.equal(signal, 'SIGKILL');
    done = await checkJournaled(directory, 'ch1', Math.max(acknowledged, done));
  }
  assert.ok(done > 0);
});

test('of several writers of small appends that are killed in turn, none loses an acknowledged line', async (t) => {
  const directory = temporaryDirectory(t);
  const streams = ['ch1', 'ch2', 'ch3'];
  const done = new Map<string, number>();
  for (let round = 0; round < 4; round += 1) {
    const outcomes = streams.map(async (stream, index) => {
      const killAfterMs = 100 + 80 * ((index + round) % streams.length);
      const { acknowledged } = await run([], [journalWorker, directory, stream], 1_000_000, killAfterMs);
      return { stream, acknowledged };
    });
    for (const { stream, acknowledged } of await Promise.all(outcomes)) {
      const before = done.get(stream) ?? 0;
      done.set(stream, await checkJournaled(directory, stream, Math.max(acknowledged, before)));
    }
  }
  for (const stream of streams) assert.ok((done.get(stream) ?? 0) > 0);
});

interface Injection {
  readonly worker: readonly string[];
  /** Of appends. */
  readonly count: number;
  /** Only of these files. */
  readonly paths: readonly string[];
  readonly check: (acknowledged: number) => Promise<number>;
}

/** Injects the effect into the first such system call of a run, then into the second, and so on. */
async function breakEach(
  trace: string,
  { worker, count, paths, check }: Injection,
  call: string,
  effect: string,
  roundsMax: number,
) {
  let done = 0;
  let broken = 0;
  for (let when = 1; when <= roundsMax; when += 1) {
    const inject = `inject=${call}:${effect}:when=${when}`;
    const only = paths.flatMap((path) => ['-P', path]);
    const command = ['strace', '-f', '-qq', '-o', trace, ...only, '-e', `trace=${call}`, '-e', inject];
    const { acknowledged, out, signal } = await run(command, worker, count);
    done = await check(Math.max(acknowledged, done));
    if (effect.startsWith('error') ? out.includes('failed') : signal === 'SIGKILL') broken += 1;
  }
  return { done, broken };
}

function withMarks(directory: string): Injection {
  const check = (acknowledged: number) => checkStreams(directory, acknowledged);
  return { worker: [markWorker, directory], count: 3, paths: [], check };
}

function byJournal(directory: string): Injection {
  const check = (acknowledged: number) => checkJournaled(directory, 'ch1', acknowledged);
  const files = ['appends.journal', 'ch1/19700101.0000.ndjson'];
  const paths = files.map((file) => join(directory, 'streams', file));
  return { worker: [journalWorker, directory, 'ch1'], count: 6, paths, check };
}

for (const [call, rounds] of [
  ['fdatasync', 12],
  ['fsync', 6],
  ['pwrite64', 24],
] as const) {
  test(`${call} that fails once loses and duplicates nothing, whichever call it is`, async (t) => {
    if (!needsPackage(t, 'strace', 'strace')) return;
    const directory = temporaryDirectory(t);
    const trace = join(directory, 'trace');
    const { broken } = await breakEach(trace, withMarks(directory), call, 'error=EIO', rounds);
    assert.ok(broken > 0, 'no append failed');
  });

  test(`a writer killed at ${call} loses and duplicates nothing, whichever call it is`, async (t) => {
    if (!needsPackage(t, 'strace', 'strace')) return;
    const directory = temporaryDirectory(t);
    const trace = join(directory, 'trace');
    const { broken } = await breakEach(trace, withMarks(directory), call, 'signal=SIGKILL', rounds);
    assert.ok(broken > 0, 'no writer was killed');
  });
}

for (const [effect, what] of [
  ['error=EIO', 'a write that fails once'],
  ['signal=SIGKILL', 'a kill at a write'],
] as const) {
  test(`${what} loses and duplicates no small append, whichever write it is`, async (t) => {
    if (!needsPackage(t, 'strace', 'strace')) return;
    const directory = temporaryDirectory(t);
    const injection = byJournal(directory);
    // From here on these files exist.
    await run([], injection.worker, 1);
    const { done } = await breakEach(join(directory, 'trace'), injection, 'pwrite64', effect, 16);
    assert.ok(done > 16);
  });
}
