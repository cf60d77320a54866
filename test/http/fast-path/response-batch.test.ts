/** Responses that are ended a few at a time. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { yieldToEventLoop } from '../../../src/concurrency/event-loop-slices.ts';
import { ResponseBatch } from '../../../src/http/fast-path/response-batch.ts';

/** What a server sends to these requests, which arrive together on one connection; it closes after the last. */
async function exchange(
  t: TestContext,
  paths: readonly string[],
  listener: RequestListener,
): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const last = paths.length - 1;
  socket.write(
    paths
      .map(
        (path, at) => `GET ${path} HTTP/1.1\r\nhost: a\r\n${at === last ? 'connection: close\r\n' : ''}\r\n`,
      )
      .join(''),
  );
  return text(socket);
}

const bodiesIn = (answers: string) => [...answers.matchAll(/<(.*?)>/g)].map(([, path]) => path);
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);

/** A batch after so many requests that arrived together. */
async function batchAfter(t: TestContext, count: number): Promise<ResponseBatch> {
  const batch = new ResponseBatch();
  await exchange(t, numbered(count), (request, response) =>
    batch.end(response.writeHead(200), `<${request.url}>`),
  );
  return batch;
}

for (const { arrived, together } of [
  { arrived: 1, together: 1 },
  { arrived: 7, together: 1 },
  { arrived: 8, together: 2 },
  { arrived: 32, together: 8 },
  { arrived: 100, together: 8 },
])
  test(`after ${arrived} requests that arrived together, responses are ended in batches of ${together}, and the rest when all are handled`, async (t) => {
    const batch = await batchAfter(t, arrived);
    const responses: ServerResponse[] = [];
    const endedBefore: number[] = [];
    const answers = await exchange(t, numbered(20), (request, response) => {
      endedBefore.push(responses.filter(({ writableEnded }) => writableEnded).length);
      responses.push(response);
      batch.end(response.writeHead(200), `<${request.url}>`);
    });
    assert.deepEqual(
      endedBefore,
      Array.from({ length: 20 }, (_, at) => at - (at % together)),
    );
    assert.deepEqual(bodiesIn(answers), numbered(20));
  });

test('a response is ended before a time slice begins that was awaited earlier', async (t) => {
  const batch = await batchAfter(t, 32);
  let wasEnded: Promise<boolean> | undefined;
  await exchange(t, ['/'], (_request, response) => {
    wasEnded = yieldToEventLoop().then(() => response.writableEnded);
    batch.end(response.writeHead(200), 'late');
    assert.equal(response.writableEnded, false);
  });
  assert.equal(await wasEnded, true);
});

test('a client that goes away does not keep back the responses of others', async (t) => {
  const batch = new ResponseBatch();
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/gone') return void held.push(response);
    for (const gone of held) {
      gone.socket?.destroy();
      batch.end(gone.writeHead(200), 'gone');
    }
    batch.end(response.writeHead(200), 'there');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gone = connect(port, '127.0.0.1').on('error', () => undefined);
  gone.write('GET /gone HTTP/1.1\r\nhost: a\r\n\r\n');
  while (held.length === 0) await yieldToEventLoop();
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/there`)).text(), 'there');
});
