/** Crash test: after a writer is killed or a system call fails, every acknowledged line is there exactly once, and no torn line is served. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { needsPackage } from '../../harness/debian-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { checkStreams } from '../../harness/workers/crash-streams.ts';

const worker = join(import.meta.dirname, '../../harness/workers/stream-append-worker.ts');

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly acknowledged: number;
}

async function run(
  command: readonly string[],
  directory: string,
  count: number,
  killAfterMs?: number,
): Promise<Outcome> {
  const args = [...command, process.execPath, worker, directory, String(count)];
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
    const { acknowledged, signal } = await run([], directory, 1_000_000, (round * 7) % 60);
    assert.equal(signal, 'SIGKILL');
    done = await checkStreams(directory, Math.max(acknowledged, done));
  }
  assert.ok(done > 0);
});

/** Injects the effect into the first such system call of a run, then into the second, and so on. */
async function breakEach(directory: string, call: string, effect: string, roundsMax: number) {
  const trace = join(directory, 'trace');
  let done = 0;
  let broken = 0;
  for (let when = 1; when <= roundsMax; when += 1) {
    const inject = `inject=${call}:${effect}:when=${when}`;
    const command = ['strace', '-f', '-qq', '-o', trace, '-e', `trace=${call}`, '-e', inject];
    const { acknowledged, out, signal } = await run(command, directory, 3);
    done = await checkStreams(directory, Math.max(acknowledged, done));
    if (effect.startsWith('error') ? out.includes('failed') : signal === 'SIGKILL') broken += 1;
  }
  return { done, broken };
}

for (const [call, rounds] of [
  ['fdatasync', 12],
  ['fsync', 6],
  ['pwrite64', 24],
] as const) {
  test(`${call} that fails once loses and duplicates nothing, whichever call it is`, async (t) => {
    if (!needsPackage(t, 'strace', 'strace')) return;
    const { broken } = await breakEach(temporaryDirectory(t), call, 'error=EIO', rounds);
    assert.ok(broken > 0, 'no append failed');
  });

  test(`a writer killed at ${call} loses and duplicates nothing, whichever call it is`, async (t) => {
    if (!needsPackage(t, 'strace', 'strace')) return;
    const { broken } = await breakEach(temporaryDirectory(t), call, 'signal=SIGKILL', rounds);
    assert.ok(broken > 0, 'no writer was killed');
  });
}
