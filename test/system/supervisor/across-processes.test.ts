/** What one process of a server does, the other shows. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { nameglass, signalTo } from '../../harness/server/command-line.ts';
import { startedStream } from '../../harness/server/event-stream.ts';
import { fileScope } from '../../harness/test-scope.ts';
import { supervisedServer, until } from './supervised-server.ts';

const scope = fileScope();
const server = await supervisedServer(scope, ['sources.passiveDns=false']);
const { served, key, data } = server;

async function call(route: string, body?: object) {
  const [method = '', path = ''] = route.split(' ');
  const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(served.url + path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  assert.ok(answer.ok, `${route}: ${answer.status} ${await answer.clone().text()}`);
  return answer;
}

async function openStream(path: string) {
  const asking = request(served.url + path, { headers: { 'x-api-key': key } });
  asking.end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  scope.after(() => answer.destroy());
  return startedStream(answer);
}

test('a lookalike that the worker discovers arrives in the live events of the API', async () => {
  await call('POST /v1/intel-detect/monitors/', { term: 'harborlight' });
  const events = await openStream('/v1/intel-detect/events/');
  const { code, err } = await nameglass(['import', 'names', '-', '--data', data], {
    input: 'harborlight-login.com\n',
  });
  assert.equal(code, 0, err);
  await until('the event', () => (events.names.includes('harborlight-login.com') ? true : undefined));
});

test('/metrics has the counters of the worker beside those of the API', async () => {
  const text = await until('an answer with those of the worker', async () => {
    const answer = await (await call('GET /metrics')).text();
    return answer.includes('role="worker"') ? answer : undefined;
  });
  for (const role of ['api', 'worker'])
    assert.match(text, new RegExp(`^nameglass_process_resident_memory_bytes\\{role="${role}"\\} \\d+$`, 'm'));
  assert.match(text, /^nameglass_discovery\{kind="discovered"\} [1-9]\d*$/m);
  assert.match(text, /^nameglass_http_request_seconds_count\{scope="platform",/m);
  assert.match(text, /^nameglass_part_total\{kind="stage",part="discovery"\} [1-9]/m);
});

test('/metrics answers without them while the worker does not', async () => {
  signalTo(await server.pidOf('worker'), 'SIGSTOP');
  const text = await (await call('GET /metrics')).text();
  assert.match(text, /^nameglass_process_resident_memory_bytes\{role="api"\} \d+$/m);
  assert.doesNotMatch(text, /role="worker"/);
  signalTo(await server.pidOf('worker'), 'SIGCONT');
});

test('log lines of all processes are whole, however long they are', async () => {
  const long = 'x'.repeat(40_000);
  const worker = await server.pidOf('worker');
  signalTo(worker, 'SIGKILL');
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => fetch(`${served.url}/nothing/${index}?q=${long}`)),
  );
  await server.pidOf('worker', worker);
  assert.equal(await served.stop(), 0);
  const lines = served
    .output()
    .err.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { role: string; url?: string });
  assert.deepEqual([...new Set(lines.map(({ role }) => role))].sort(), ['api', 'supervisor', 'worker']);
  assert.equal(lines.filter(({ url }) => url?.includes(long)).length, 40);
});
