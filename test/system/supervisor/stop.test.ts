/** One command, one Ctrl-C: nothing of a server is left, however it ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findRunning } from '../../../src/cli/running/running-process.ts';
import { isRunning, nameglass, serve, signalTo } from '../../harness/server/command-line.ts';
import { inTerminal } from '../../harness/server/terminal.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { until } from './supervised-server.ts';

/** Every process whose environment names the data directory: those of the server, the simulated Internet and browsers. */
function processesWith(mark: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark) && isRunning(pid);
      } catch {
        return false;
      }
    });
}

const newMark = () => `MARK_OF_THIS_SERVER=${process.pid}-${performance.now()}`;

async function startDemo(scope: Parameters<typeof serve>[0]) {
  const mark = newMark();
  const [name = '', value = ''] = mark.split('=');
  const data = temporaryDirectory(scope);
  const served = await serve(scope, ['--demo', '--data', data], { env: { [name]: value } });
  await until('all processes', () => (processesWith(mark).length >= 4 ? true : undefined));
  return { served, mark, data };
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const)
  test(`after ${signal} to the supervisor no process of a demonstration is left`, async (t) => {
    const { served, mark } = await startDemo(t);
    const closed = once(served.child, 'close');
    signalTo(served.child.pid, signal);
    const [code] = (await closed) as [number | null];
    if (signal !== 'SIGKILL') assert.deepEqual([code, processesWith(mark)], [0, []]);
    await until('the end of all processes', () => (processesWith(mark).length === 0 ? true : undefined));
  });

test('a signal while a demonstration starts ends all of its processes', async (t) => {
  const mark = newMark();
  const [name = '', value = ''] = mark.split('=');
  const args = ['serve', '--demo', '--port', '0', '--data', temporaryDirectory(t)];
  const ended = nameglass(args, { env: { [name]: value } });
  const supervisor = await until('processes that load their code', () => {
    const [first, ...others] = processesWith(mark).toSorted((one, other) => one - other);
    return others.length >= 2 ? first : undefined;
  });
  signalTo(supervisor, 'SIGINT');
  const { code, out } = await ended;
  assert.deepEqual([code, out, processesWith(mark)], [130, '', []]);
});

test('a second signal ends all processes although one of them cannot stop', async (t) => {
  const { served, mark } = await startDemo(t);
  const closed = once(served.child, 'close');
  const worker = processesWith(mark).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0worker'),
  );
  signalTo(worker, 'SIGSTOP');
  signalTo(served.child.pid, 'SIGTERM');
  await until('the first signal', () => (served.output().out.includes('SIGTERM: ') ? true : undefined));
  signalTo(served.child.pid, 'SIGTERM');
  assert.equal(((await closed) as [number | null])[0], 130);
  await until('the end of all processes', () => (processesWith(mark).length === 0 ? true : undefined));
});

test('a worker that hangs while the server stops is ended, and the exit code says so', async (t) => {
  const data = temporaryDirectory(t);
  const served = await serve(t, ['--data', data, '--set', 'supervisor.hangSeconds=2']);
  const closed = once(served.child, 'close');
  signalTo(served.pidOf('worker'), 'SIGSTOP');
  signalTo(served.child.pid, 'SIGTERM');
  assert.equal(((await closed) as [number | null])[0], 1);
});

test('a server whose output nobody reads any more goes on, and stops in good order', async (t) => {
  const { served, mark, data } = await startDemo(t);
  served.child.stdout?.destroy();
  served.child.stderr?.destroy();
  const ended = once(served.child, 'exit');
  // Both processes print and log: one of them is new.
  const before = served.pidOf('api');
  signalTo(before, 'SIGKILL');
  await until('another process that answers', async () => {
    const answer = await fetch(`${served.url}/healthz`).catch(() => undefined);
    return served.pidOf('api') !== before && answer?.ok ? true : undefined;
  });
  signalTo(served.child.pid, 'SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  assert.equal(findRunning(data), undefined);
  await until('the end of all processes', () => (processesWith(mark).length === 0 ? true : undefined));
});

test('Ctrl-C in a terminal, which reaches all processes, stops the server in good order', async (t) => {
  const { code, screen } = await inTerminal(
    ['serve', '--port', '0', '--data', temporaryDirectory(t)],
    [['Stop: Ctrl-C', '\x03']],
  );
  assert.equal(code, 0, screen);
  assert.match(screen, /SIGINT: finishing open requests/);
  // By each process that had started by then.
  assert.match(screen, /\d\d:\d\d:\d\d stopped/);
});
