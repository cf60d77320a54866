/** Feed responses on real connections: long ones, aborted ones, and concurrent ones. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { behindProxyWithout, clientAddress } from '../../harness/server/client-address.ts';
import { testServer } from '../../harness/server/test-server.ts';
import {
  type FeedServer,
  feedServer,
  namesOf,
  openSocket,
  withFeeds,
  withoutFeedLimits,
} from './feed-fixture.ts';

/** More than all buffers between a server and a client that does not read can hold. */
const longLines = 200_000;

async function appendLong(server: FeedServer): Promise<void> {
  const head = '{"timestamp":"2026-03-04T10:11:12Z","domain":"host';
  const tail = `.${'x'.repeat(60)}.${'y'.repeat(40)}.example"}\n`;
  const lines = Array.from({ length: longLines }, (_, number) => `${head}${number}${tail}`);
  const bytes = Buffer.from(lines.join(''));
  await server.streams.append([{ stream: 'feed-noh', bytes }], server.clock.now());
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries += 1) {
    assert.ok(tries < 1000, 'the condition did not hold in time');
    await pause(10);
  }
}

function countLines(answer: string): number {
  return answer.match(/\n/g)?.length ?? 0;
}

const reader = (server: FeedServer, accountId: string) =>
  server.streams.findOffset({ stream: 'feed-noh', name: `session:${accountId}:s` });

test('FEED-11 the first records arrive while later ones are still being read', async (t) => {
  const server = await feedServer(t);
  const account = await server.accounts.findAccount(server.username);
  await appendLong(server);
  const { answer } = await openSocket(server, '/v1/feed/noh/?sessionID=s');
  let received = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(answer, 'data');
  answer.pause();
  assert.ok(received.startsWith('{"timestamp"'));
  assert.equal(await reader(server, account?.id ?? ''), undefined, 'the answer has not come to its end');
  assert.equal(answer.headers['transfer-encoding'], 'chunked');
  answer.resume();
  await once(answer, 'end');
  assert.equal(countLines(received), longLines);
});

test('FEED-16 a client that disconnects midway gets everything again with the next poll', async (t) => {
  const server = await feedServer(t);
  await appendLong(server);
  for (const path of ['/v1/feed/noh/?sessionID=s', '/v1/feed/noh/?sessionID=s&domain=host*']) {
    const { answer } = await openSocket(server, path);
    await once(answer, 'data');
    answer.destroy();
  }
  const { answer } = await openSocket(server, '/v1/feed/noh/?sessionID=s');
  assert.equal(countLines(await text(answer)), longLines);
  assert.equal((await server.poll('noh', 'sessionID=s')).text, '');
  await until(() => server.log().split('"operation":"getNOH"').length >= 5);
});

const aborts = { skip: behindProxyWithout('aborts') };

test(
  'a client that reads nothing for feeds.stalledSeconds is disconnected, and the session is free again',
  aborts,
  async (t) => {
    const server = await feedServer(t, { settings: { 'feeds.stalledSeconds': '3' } });
    await appendLong(server);
    const { answer } = await openSocket(server, '/v1/feed/noh/?sessionID=s');
    answer.pause();
    const next = await server.poll('noh', 'sessionID=s');
    assert.equal(countLines(next.text), longLines, 'it waited, and nothing was lost');
    await assert.rejects(text(answer), /aborted/);
  },
);

test('FEED-16 two concurrent polls of a session on two servers get each record once', async (t) => {
  const one = await feedServer(t);
  const other = withFeeds(
    await testServer(t, { directory: one.directory, clock: one.clock, settings: withoutFeedLimits }),
    one.key,
    one.username,
  );
  await appendLong(one);
  const answers: IncomingMessage[] = [];
  const opening = [one, other].map(async (server) => {
    const { answer } = await openSocket(server, '/v1/feed/noh/?sessionID=s');
    answers.push(answer);
    return text(answer);
  });
  const counts = (await Promise.all(opening)).map(countLines).sort((left, right) => left - right);
  assert.deepEqual(counts, [0, longLines]);
  assert.ok(answers.every(({ statusCode }) => statusCode === 200));
});

test('a DELETE sent right after the last byte finds the session', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'a.example');
  for (let times = 0; times < 20; times += 1) {
    const { answer } = await openSocket(server, '/v1/feed/nod/?sessionID=s');
    assert.deepEqual(namesOf({ text: await text(answer) }), ['a.example']);
    assert.equal((await server.remove('nod', 'sessionID=s')).status, 200);
  }
});

test('other requests are answered while a long feed is scanned for something it does not contain', async (t) => {
  const server = await feedServer(t);
  await appendLong(server);
  const searching = server.poll('noh', 'after=-60&domain=*nothing*');
  let answered = 0;
  const progress = { searched: false };
  void searching.then(() => (progress.searched = true));
  while (!progress.searched) {
    assert.equal((await server.call('GET /healthz')).status, 200);
    answered += 1;
    await yieldToEventLoop();
  }
  assert.equal((await searching).text, '');
  assert.ok(answered > 5, `only ${answered} answers in between`);
});

test('when the client disconnects before the first record the scan ends, and the session is free', async (t) => {
  const server = await feedServer(t, { settings: { 'limits.feed.recordsMax': '1' } });
  await appendLong(server);
  await server.appendNames('noh', 'last.example');
  const { host, port } = await clientAddress(server.app);
  const headers = { 'x-api-key': server.key };
  const path = '/v1/feed/noh/?sessionID=s&domain=last*';
  const sent = request({ host, port, path, headers, agent: false });
  sent.on('error', () => undefined).end();
  await once(server.app.server, 'request');
  sent.destroy();
  assert.deepEqual(namesOf(await server.poll('noh', 'sessionID=s&domain=last*')), ['last.example']);
});
