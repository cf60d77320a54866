/** Many readers at once, of whom half stall, and pruning while others download: nobody is cut, and memory stays what it was. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { canaryBatchKey } from '../../harness/artifacts.ts';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const minuteMs = 60_000;
const minutes = 16;
const bytesPerMinute = 1 << 20;
const memoryGrowthMax = 160;

interface Channel {
  readonly data: string;
  readonly key: string;
  readonly endMs: number;
  readonly digest: string;
}

/** A channel with some minutes of data, and a key for it. */
async function fill(t: TestContext): Promise<Channel> {
  const data = temporaryDirectory(t);
  const key = canaryBatchKey();
  const created = await nameglass([
    'account',
    'create',
    '--username',
    'reader',
    '--batch-key',
    key,
    '--data',
    data,
  ]);
  assert.equal(created.code, 0, created.err);
  const endMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const store = openStreamStore(data);
  const hash = createHash('sha256');
  for (let minute = minutes; minute > 0; minute -= 1) {
    const line = `{"minute":${minute},"text":"${'x'.repeat(1000)}"}\n`;
    const bytes = Buffer.from(line.repeat(Math.floor(bytesPerMinute / line.length)));
    hash.update(bytes);
    await store.append([{ stream: 'ch212', bytes }], endMs - minute * minuteMs);
  }
  await store.close();
  return { data, key, endMs, digest: hash.digest('hex') };
}

/** The answer of a download that nobody reads yet. */
async function begin(url: string, { key, endMs }: Channel): Promise<IncomingMessage> {
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  const times = { start_time: text(endMs - minutes * minuteMs), end_time: text(endMs) };
  const asking = request(`${url}/batchd/v1/batch/chfetch`, { method: 'POST', agent: false });
  asking.end(JSON.stringify({ apikey: key, channel: 212, ...times }));
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  return answer;
}

async function digestOf(answer: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of answer) hash.update(piece as Buffer);
  return hash.digest('hex');
}

function megabytesOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

test('of 200 readers 100 stall: the others get everything, and the server needs no more memory for it', async (t) => {
  const channel = await fill(t);
  const { url, pidOf } = await serve(t, ['--data', channel.data]);
  assert.equal(await digestOf(await begin(url, channel)), channel.digest);
  const api = pidOf('api');
  const before = megabytesOf(api);
  const stalled = await Promise.all(Array.from({ length: 100 }, () => begin(url, channel)));
  for (let round = 0; round < 4; round += 1) {
    const digests = await Promise.all(
      Array.from({ length: 25 }, async () => digestOf(await begin(url, channel))),
    );
    assert.ok(digests.every((digest) => digest === channel.digest));
  }
  const growth = megabytesOf(api) - before;
  assert.ok(growth < memoryGrowthMax, `${growth} MB more than before`);
  // Those who stalled may go on, and get everything too.
  assert.deepEqual(new Set(await Promise.all(stalled.slice(0, 10).map(digestOf))), new Set([channel.digest]));
  for (const answer of stalled) answer.destroy();
});

test('downloads that have begun end whole while everything that they read is pruned', async (t) => {
  const channel = await fill(t);
  const { url } = await serve(t, ['--data', channel.data]);
  const begun = await Promise.all(Array.from({ length: 10 }, () => begin(url, channel)));
  const pruner = openStreamStore(channel.data);
  t.after(() => pruner.close());
  const downloads = begun.map(digestOf);
  await pruner.pruneSegments('ch212', channel.endMs / minuteMs);
  assert.deepEqual(new Set(await Promise.all(downloads)), new Set([channel.digest]));
  // What nobody reads any more goes; the server may take a moment to know that it has sent everything.
  for (let kept = 1; kept > 0; ) {
    await pruner.pruneSegments('ch212', channel.endMs / minuteMs);
    kept = (await pruner.findState('ch212'))?.lines ?? 0;
  }
});
