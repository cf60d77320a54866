/** Health, for people who operate the server. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dayMs } from '../../../src/model/durations.ts';
import type { ProcessState } from '../../../src/model/health/process-state.ts';
import { rememberBackup } from '../../../src/store/embedded/backup/last-backup.ts';
import type { StoreFault } from '../../../src/store/engine/store-fault.ts';
import { processReport } from '../../conformance/health-store.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { onEngines } from '../../harness/server/test-stores.ts';
import { webSession } from '../../harness/server/web-session.ts';

let supervised: readonly ProcessState[] = [];
let faults: readonly StoreFault[] = [];
let readiness: 'starting' | 'ready' | 'draining' = 'ready';
const server = await testServer(
  { after },
  {
    processes: () => supervised,
    findFaults: async () => faults,
    findUnsealedBytes: async () => 7,
    readiness: () => readiness,
  },
);
const nowMs = server.clock.now();
const part = {
  unit: 'names',
  startedMs: nowMs - 3_600_000,
  failuresUsual: 0,
  failuresInRow: 0,
  total: 12,
  perMinute: new Array(60).fill(0),
} as const;

async function operator() {
  const me = await webSession(server, { permissions: ['read'] });
  await server.people.updatePerson(me.person.id, { operator: true }, { actor: 'operator', atMs: nowMs });
  return me;
}

test('how the server is is shown to its operators alone, not to the administrator of an account', async () => {
  const admin = await webSession(server, { permissions: ['admin'] });
  assert.equal((await admin.call('GET /health')).status, 403);
  assert.equal((await (await operator()).call('GET /health')).status, 200);
});

test('what fails comes first, with its last error and when it last succeeded', async () => {
  await server.health.saveReport(
    processReport({
      process: 'all-1-1',
      atMs: nowMs,
      parts: [
        { ...part, kind: 'collector', name: 'dns', lastSuccessMs: nowMs },
        {
          ...part,
          kind: 'source',
          name: 'ct:log',
          everyMs: 1000,
          lastSuccessMs: nowMs - 60_000,
          lastFailureMs: nowMs,
          lastError: 'connection refused',
          failuresInRow: 3,
          backlog: 41,
        },
        { ...part, kind: 'collector', name: 'screenshots', off: 'no Chromium found' },
      ],
    }),
  );
  const { json } = await (await operator()).call('GET /health');
  assert.deepEqual(
    json.parts.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`),
    ['ct:log failing', 'dns working', 'screenshots off'],
  );
  const { last_error, last_success, failures_in_row, backlog } = json.parts[0];
  assert.deepEqual(
    [last_error, last_success, failures_in_row, backlog],
    ['connection refused', new Date(nowMs - 60_000).toISOString(), 3, 41],
  );
});

test('a process that has not reported for over a minute is gone, and what it did is late', async () => {
  const parts = [{ ...part, kind: 'source', name: 'zone', everyMs: 1000, lastSuccessMs: nowMs }] as const;
  await server.health.saveReport(processReport({ process: 'worker-2-2', atMs: nowMs - 61_000, parts }));
  const { json } = await (await operator()).call('GET /health');
  const found = json.processes.find(({ name }: { name: string }) => name === 'worker-2-2');
  assert.equal(found.state, 'gone');
  assert.equal(json.parts.find(({ name }: { name: string }) => name === 'zone').state, 'late');
  await server.health.removeReport('worker-2-2');
});

const worker = { role: 'worker', name: 'worker-7-7', restarts: 3, sinceMs: nowMs } as const;
const running = { ...worker, state: 'running', pid: 8, lastEnd: 'was ended by SIGKILL' } as const;

test('a process that its supervisor starts again says so, how often that was, and how it ended', async () => {
  await server.health.saveReport(processReport({ process: 'worker-7-7', atMs: nowMs }));
  const me = await operator();
  const shown = async () => {
    const { json } = await me.call('GET /health');
    const { state, restarts, last_end } = json.processes.find(
      ({ name }: { name: string }) => name === 'worker-7-7',
    );
    return [state, restarts, last_end];
  };
  supervised = [{ ...worker, state: 'restarting', lastEnd: 'was ended by SIGKILL' }];
  assert.deepEqual(await shown(), ['restarting', 3, 'was ended by SIGKILL']);
  supervised = [running];
  assert.deepEqual(await shown(), ['working', 3, 'was ended by SIGKILL']);
  await server.health.removeReport('worker-7-7');
  supervised = [{ ...worker, state: 'starting' }];
  assert.deepEqual(await shown(), ['starting', 3, null]);
  supervised = [];
});

test('/healthz and /readyz are degraded while the worker does not run', async () => {
  const answers = async () => [
    (await server.call('GET /healthz')).json,
    (await server.call('GET /readyz')).json,
  ];
  supervised = [{ ...worker, state: 'restarting' }];
  const degraded = { status: 'degraded', worker: 'restarting' };
  assert.deepEqual(await answers(), [degraded, degraded]);
  supervised = [running];
  assert.deepEqual(await answers(), [{ status: 'ok' }, { status: 'ready' }]);
  supervised = [];
});

test('a server that starts or stops is not ready, and answers', async () => {
  for (const state of ['starting', 'draining'] as const) {
    readiness = state;
    const { status, json } = await server.call('GET /readyz');
    assert.deepEqual([status, json], [503, { status: state }]);
    assert.equal((await server.call('GET /healthz')).status, 200);
  }
  readiness = 'ready';
});

test('/readyz is degraded while some requests cannot be answered, and not ready while none can; the operator sees why', async () => {
  const me = await operator();
  const ready = async () => {
    const { status, json } = await server.call('GET /readyz');
    return [status, json];
  };
  const away = { part: 's3', message: 'the object store does not answer', isPartial: true };
  faults = [away];
  assert.deepEqual(await ready(), [200, { status: 'degraded', s3: away.message }]);
  assert.deepEqual((await me.call('GET /health')).json.faults, [{ part: 's3', message: away.message }]);
  faults = [away, { part: 'clock', message: 'it is ahead', isPartial: false }];
  assert.deepEqual(await ready(), [503, { status: 'not ready', s3: away.message, clock: 'it is ahead' }]);
  const { text } = await server.call('GET /metrics');
  assert.match(text, /nameglass_distributed_stores\{kind="faults"\} 2/);
  assert.match(text, /nameglass_distributed_stores\{kind="unsealed_bytes"\} 7/);
  faults = [];
  assert.deepEqual(await ready(), [200, { status: 'ready' }]);
});

test('queues, free disk space and the sizes of stores are part of it', async () => {
  await server.health.saveReport(processReport({ process: 'all-1-1', atMs: nowMs, jobKinds: ['collect'] }));
  await server.jobs.enqueue([
    { kind: 'collect', subject: 'due.example', dueMs: nowMs - 1 },
    { kind: 'collect', subject: 'later.example', dueMs: nowMs + 1 },
  ]);
  const { json } = await (await operator()).call('GET /health');
  assert.deepEqual(json.queues, [
    { code: 'collect', due: 1, waiting: 1, leased: 0, oldest_due_seconds: null, state: 'working' },
  ]);
  assert.ok(json.disk.free_bytes > 0 && json.disk.total_bytes > json.disk.free_bytes);
  assert.ok(
    json.stores.some(({ name, bytes }: { name: string; bytes: number }) => name === 'accounts' && bytes > 0),
  );
});

const withTools = onEngines('engines are backed up with their own tools');

test('Health says when and where the last backup was made, and warns when it is too old', {
  skip: withTools,
}, async () => {
  const backup = async () => (await (await operator()).call('GET /health')).json.backup;
  assert.deepEqual(
    { ...(await backup()), overdue: undefined },
    { last: null, bytes: null, location: null, overdue: undefined },
  );
  const made = { files: 3, bytes: 4096, location: '/backups/today' };
  rememberBackup(server.directory, { ...made, atMs: nowMs - 6 * dayMs });
  const recent = { last: new Date(nowMs - 6 * dayMs).toISOString(), bytes: 4096, location: '/backups/today' };
  assert.deepEqual(await backup(), { ...recent, overdue: false });
  rememberBackup(server.directory, { ...made, atMs: nowMs - 8 * dayMs });
  assert.equal((await backup()).overdue, true);
});
