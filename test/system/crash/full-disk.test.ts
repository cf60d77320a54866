/** A disk that fills up while a server runs: ingest stops before it is full, everything else goes on, and nothing acknowledged is lost. */
import assert from 'node:assert/strict';
import { appendFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { canaryKey } from '../../harness/artifacts.ts';
import { streamText } from '../../harness/fixtures/stream-text.ts';
import { nameglass, type Served, serve } from '../../harness/server/command-line.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { smallDisk } from '../../harness/small-disk.ts';

const mebibyte = 1 << 20;
const filler = 'x'.repeat(1000);

interface DiskWorld {
  readonly data: string;
  readonly key: string;
  /** Takes the space that is freed later. */
  readonly ballast: string;
  readonly options: readonly string[];
  start(): Promise<Served>;
}

async function diskWorld(t: TestContext, directory: string): Promise<DiskWorld> {
  const data = join(directory, 'data');
  const key = canaryKey();
  const channels = JSON.stringify({ 42: { description: 'Lines', mimetype: 'application/x-ndjson' } });
  const settings = [
    'collect.resolvers=',
    `batch.channels=${channels}`,
    'limits.ingest.requestsPerMinute=1000000',
    'limits.ingest.bytesPerHour=1000000000',
    'limits.feed.queriesPerMinute=1000',
  ];
  const options = ['--data', data, ...settings.flatMap((setting) => ['--set', setting])];
  const user = ['--username', 'ann', '--key', key, '--permissions', 'read,manage,ingest,admin'];
  assert.equal((await nameglass(['account', 'create', ...user, ...options])).code, 0);
  assert.equal((await nameglass(['account', 'own', 'ann', '42', ...options])).code, 0);
  const ballast = join(directory, 'ballast');
  writeFileSync(ballast, Buffer.alloc(48 * mebibyte));
  return { data, key, ballast, options, start: () => serve(t, options) };
}

/** Appends numbered lines until the server refuses; the refusal, and how many lines were acknowledged. */
async function fill({ url }: Served, { key }: DiskWorld, from: number) {
  for (let next = from; ; ) {
    const numbers = Array.from({ length: 200 }, (_, index) => next + index);
    const response = await fetch(`${url}/v1/channels/42/lines/`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
      body: numbers.map((n) => `${JSON.stringify({ n, filler })}\n`).join(''),
    });
    if (response.status !== 200) return { response, text: await response.text(), acknowledged: next };
    next += numbers.length;
  }
}

async function countedReads({ url }: Served, key: string): Promise<readonly number[]> {
  const headers = { 'x-api-key': key };
  const requests = [
    fetch(`${url}/v1/intel-enrich/?domain=example.com`, { headers }),
    fetch(`${url}/v1/feed/nod/?sessionID=one&after=-60`, { headers }),
    fetch(`${url}/v1/account/`, { headers }),
  ];
  return (await Promise.all(requests)).map(({ status }) => status);
}

async function addMonitor({ url }: Served, key: string): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ term: 'nameglass' });
  return (await fetch(`${url}/v1/intel-detect/monitors/`, { method: 'POST', headers, body })).status;
}

async function answers({ url }: Served) {
  const [health, ready] = await Promise.all([fetch(`${url}/healthz`), fetch(`${url}/readyz`)]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return {
    statuses: [health.status, ready.status],
    health: await health.json(),
    low: /nameglass_storage\{kind="low"\} (\d)/.exec(metrics)?.[1],
  };
}

test('ingest stops before the disk is full and resumes by itself, and nothing acknowledged is lost', {
  timeout: 600_000,
}, async (t) => {
  const directory = smallDisk(t, 128);
  if (directory === undefined) return;
  const world = await diskWorld(t, directory);
  let served = await world.start();
  const { response, text, acknowledged } = await fill(served, world, 0);
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '60'], text);
  assert.match(text, /not enough free disk space/);
  assert.ok(acknowledged > 0);
  const { bavail, bsize } = statfsSync(directory);
  assert.ok(bavail * bsize > 4 * mebibyte, 'most of the reserve is left');

  const degraded = { status: 'degraded', storage: 'low' };
  assert.deepEqual(await answers(served), { statuses: [200, 200], health: degraded, low: '1' });
  assert.deepEqual(await countedReads(served, world.key), [200, 200, 200]);
  assert.equal(await addMonitor(served, world.key), 200);
  const warnings = served.output().err.matchAll(/"role":"(\w+)".*disk space is low/g);
  const said = Array.from(warnings, ([, role]) => role);
  assert.ok(said.includes('api'));
  assert.equal(new Set(said).size, said.length, 'each process says it once');
  const doctor = await nameglass(['doctor', ...world.options]);
  assert.equal(doctor.code, 1);
  assert.match(
    doctor.out,
    /the data directory has disk space\s+fail\s+the disk has \d+ MiB free; .* Free some/,
  );
  const imported = await nameglass(['import', 'channel', '42', '-', ...world.options], {
    input: '{"n":-1}\n',
  });
  assert.notEqual(imported.code, 0);
  assert.match(imported.err, /Free some, then repeat the import/);

  await served.stop('SIGKILL');
  served = await world.start();
  const again = await fill(served, world, acknowledged);
  assert.deepEqual([again.response.status, again.acknowledged], [503, acknowledged]);
  rmSync(world.ballast);
  const resumed = await fill(served, world, acknowledged);
  assert.equal(resumed.response.status, 503);
  assert.ok(resumed.acknowledged > acknowledged);
  await served.stop();

  const streams = openStreamStore(world.data);
  t.after(() => streams.close());
  const lines = (await streamText(streams, 'ch42')).split('\n').slice(0, -1);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { n: number }).n),
    Array.from({ length: resumed.acknowledged }, (_, index) => index),
  );
});

test('when other software takes the last byte, requests answer 200 or 503 with Retry-After, and all work again when space is freed', {
  timeout: 600_000,
}, async (t) => {
  const directory = smallDisk(t, 96);
  if (directory === undefined) return;
  const world = await diskWorld(t, directory);
  const served = await world.start();
  takeAll(join(directory, 'foreign'));
  const answered: [number, string | null][] = [];
  for (let rounds = 0; rounds < 10; rounds += 1)
    for (const { status, headers } of await everyKind(served, world.key, `full${rounds}`))
      answered.push([status, headers.get('retry-after')]);
  const unexpected = answered.filter(
    ([status, retryAfter]) => status !== 200 && !(status === 503 && retryAfter === '60'),
  );
  assert.deepEqual(unexpected, []);
  assert.ok(answered.some(([status]) => status === 503));
  assert.deepEqual((await answers(served)).statuses, [200, 200]);

  rmSync(join(directory, 'foreign'));
  const statuses = (await everyKind(served, world.key, 'freed')).map(({ status }) => status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
});

/** Writes until the disk is full. */
function takeAll(path: string): void {
  for (let size = mebibyte; size >= 1; size /= 16) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
}

/** Requests that write something: counters, used signatures, sessions, monitors, keys. */
async function everyKind({ url }: Served, key: string, name: string): Promise<readonly Response[]> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const path = '/v1/intel-enrich/';
  const query = queryOf(signed({ username: 'ann', key }, new Date().toISOString(), path));
  return [
    await fetch(`${url}${path}?domain=${name}.example`, { headers }),
    await fetch(`${url}${path}?${query}&domain=${name}.example`),
    await fetch(`${url}/v1/feed/nod/?sessionID=${name}&after=-60`, { headers }),
    await post('/v1/intel-detect/monitors/', { term: name }),
    await post('/v1/account/keys/', { username: name }),
  ];
}
