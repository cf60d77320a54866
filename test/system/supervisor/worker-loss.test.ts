/** A worker process that ends or hangs: the API answers on, and the worker comes back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findRunning } from '../../../src/cli/running/running-process.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { streamText } from '../../harness/fixtures/stream-text.ts';
import { isRunning, nameglass, signalTo } from '../../harness/server/command-line.ts';
import { supervisedServer, underLoad, until } from './supervised-server.ts';

const clients = 16;
const kills = 6;

test('a worker that is killed again and again under load', async (t) => {
  const server = await supervisedServer(t);
  const { served, data } = server;
  const health = async () => (await fetch(`${served.url}/healthz`)).text();
  const states: string[] = [];
  const { answers, acknowledged, failures } = await underLoad(server, clients, async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = await server.pidOf('worker');
      signalTo(worker, 'SIGKILL');
      // The supervisor notifies the API a moment after the process has ended.
      states.push(
        await until('a state of health without the worker', async () => {
          const state = await health();
          return state === '{"status":"ok"}' ? undefined : state;
        }),
      );
      await server.pidOf('worker', worker);
      await pause(500);
    }
  });

  await t.test('no request fails', () => {
    assert.ok(answers.length > clients * kills, `only ${answers.length} requests were made`);
    assert.deepEqual(failures, []);
  });

  await t.test(
    '/healthz says that the worker is being started again, and then that all is well',
    async () => {
      assert.equal(states.length, kills);
      for (const state of states) assert.match(state, /"status":"degraded","worker":"(re)?starting"/);
      await until('the end of the trouble', async () =>
        (await health()) === '{"status":"ok"}' ? true : undefined,
      );
    },
  );

  await t.test('metrics, running.json and doctor have the number of restarts', async () => {
    const metrics = await (await fetch(`${served.url}/metrics`)).text();
    assert.match(metrics, new RegExp(`^nameglass_supervisor\\{kind="worker_restarts"\\} ${kills}$`, 'm'));
    assert.match(metrics, /^nameglass_supervisor\{kind="api_restarts"\} 0$/m);
    assert.equal(findRunning(data)?.processes?.find(({ role }) => role === 'worker')?.restarts, kills);
    const { out } = await nameglass(['doctor', '--data', data, '--json']);
    const findings = JSON.parse(out) as { check: string; state: string; advice: string }[];
    const found = findings.find(({ check }) => check === 'no process of the server had to be started again');
    assert.equal(found?.state, 'warn');
    assert.match(
      found.advice,
      new RegExp(`the worker process was started again ${kills} times, the last one was ended by SIGKILL`),
    );
  });

  await t.test('the log has a line of the supervisor for each', () => {
    const lines = served
      .output()
      .err.split('\n')
      .filter((line) => line.includes('"role":"supervisor"'));
    assert.equal(
      lines.filter((line) => line.includes('was ended by SIGKILL; it is started again')).length,
      kills,
    );
  });

  await t.test('every line that was acknowledged is stored, once', async () => {
    assert.equal(await served.stop(), 0);
    const store = openStreamStore(data);
    t.after(() => store.close());
    const lines = (await streamText(store, 'ch42')).trimEnd().split('\n');
    const stored = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    assert.ok(acknowledged.length > 0);
    assert.deepEqual(stored.toSorted(), [...acknowledged].sort());
  });
});

test('a worker that does not answer is ended and started again, while the API answers', async (t) => {
  // Long enough for an API that two others share its processors with.
  const server = await supervisedServer(t, ['supervisor.hangSeconds=5']);
  const worker = await server.pidOf('worker');
  const { failures } = await underLoad(server, 2, async () => {
    signalTo(worker, 'SIGSTOP');
    await server.pidOf('worker', worker);
  });
  assert.deepEqual(failures, []);
  assert.equal(isRunning(worker), false);
});

test('SIGTERM to the worker alone lets it finish and starts it again', async (t) => {
  const server = await supervisedServer(t);
  const worker = await server.pidOf('worker');
  signalTo(worker, 'SIGTERM');
  await server.pidOf('worker', worker);
  assert.match(server.served.output().err, /"role":"worker","msg":"stopped"/);
  assert.match(server.served.output().err, /the worker process ended with exit code 0; it is started again/);
});

test('a server that was suspended as a whole goes on with the same processes', async (t) => {
  const server = await supervisedServer(t, ['supervisor.hangSeconds=2']);
  const pids = [await server.pidOf('api'), await server.pidOf('worker'), server.served.child.pid];
  for (const pid of pids.toReversed()) signalTo(pid, 'SIGSTOP');
  await pause(6000);
  for (const pid of pids.toReversed()) signalTo(pid, 'SIGCONT');
  await pause(3000);
  assert.deepEqual([await server.pidOf('api'), await server.pidOf('worker')], pids.slice(0, 2));
});
