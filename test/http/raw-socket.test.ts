/** Requests that no well-behaved client sends, byte by byte on a real connection. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { keepText } from '../harness/artifacts.ts';
import { type TestServer, testServer } from '../harness/test-server.ts';

interface Listening extends TestServer {
  readonly port: number;
  readonly sockets: Socket[];
}

/** Its clients go first: a server that closes waits for connections that never sent anything. */
async function listening(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const server = await testServer(t, { settings });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...server, sockets, port: (server.app.server.address() as AddressInfo).port };
}

async function open({ port, sockets }: Listening): Promise<Socket> {
  // A server that closes with bytes unread resets the connection, which is an error to us.
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes and reads until the server closes, or until nothing came for a while after an answer. */
async function exchange(server: Listening, bytes: string | Buffer): Promise<string> {
  const socket = await open(server);
  socket.write(bytes);
  return read(socket);
}

async function read(socket: Socket, quietMs = 200): Promise<string> {
  let text = '';
  let quiet: NodeJS.Timeout | undefined;
  const closed = new Promise<void>((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
  const patience = setTimeout(() => socket.destroy(new Error('no answer')), 20_000);
  socket.on('data', (chunk) => {
    text += chunk;
    clearTimeout(quiet);
    quiet = setTimeout(() => socket.destroy(), quietMs);
  });
  await closed;
  clearTimeout(quiet);
  clearTimeout(patience);
  keepText('answers', text);
  return text;
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

async function assertStillAnswers(server: Listening): Promise<void> {
  const answer = await exchange(server, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.deepEqual(statusesOf(answer), [200]);
}

const post = 'POST /batchd/v1/validate HTTP/1.1\r\nHost: a\r\n';
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

const malformed: [name: string, bytes: string | Buffer][] = [
  ['a request with two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['a request with the same Host twice', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n'],
  ['an absolute-form URI', 'GET http://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an absolute-form URI of another host', 'GET http://b/v1/account/ HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an asterisk for a path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a request without Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['an HTTP/1.0 request without Host', 'GET /healthz HTTP/1.0\r\n\r\n'],
  [
    'Content-Length with Transfer-Encoding',
    `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'Transfer-Encoding before Content-Length',
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ['two different Content-Lengths', `${post}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`],
  ['a list of Content-Lengths', `${post}Content-Length: 2, 40\r\n\r\n{}${smuggled}`],
  ['a negative Content-Length', `${post}Content-Length: -1\r\n\r\n`],
  ['a Content-Length with a sign', `${post}Content-Length: +2\r\n\r\n{}`],
  ['a Content-Length in hex', `${post}Content-Length: 0x2\r\n\r\n{}`],
  ['an unknown Transfer-Encoding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['Transfer-Encoding chunked twice', `${post}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
  ['lines that end in LF alone', 'GET /healthz HTTP/1.1\nHost: a\n\n'],
  ['a header line that ends in LF alone', 'GET /healthz HTTP/1.1\r\nHost: a\nX: y\r\n\r\n'],
  ['a header line that ends in CR alone', 'GET /healthz HTTP/1.1\r\nHost: a\rX: y\r\n\r\n'],
  ['NUL in the path', 'GET /healthz\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
  ['a space before the colon', 'GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n'],
  ['a folded header line', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n'],
  ['a header without a name', 'GET /healthz HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
  ['LF in a chunk extension', `${post}Transfer-Encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size that is no number', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ['an unknown method', 'BREW /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an unknown version of HTTP', 'GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n'],
  ['bytes of another protocol', Buffer.from('16030100a5010000a10303', 'hex')],
];

test('malformed requests', async (t) => {
  const server = await listening(t);
  for (const [name, bytes] of malformed) {
    await t.test(`${name} is refused with 400, and a good request is answered after it`, async () => {
      const statuses = statusesOf(await exchange(server, bytes));
      assert.deepEqual(statuses, [400]);
      await assertStillAnswers(server);
    });
  }
});

test('a header larger than http.headerBytesMax is refused with 431', async (t) => {
  const server = await listening(t, { 'http.headerBytesMax': '4096' });
  const large = `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(5000)}\r\n\r\n`;
  assert.deepEqual(statusesOf(await exchange(server, large)), [431]);
  const long = `GET /healthz?${'x'.repeat(5000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
  assert.deepEqual(statusesOf(await exchange(server, long)), [431]);
  await assertStillAnswers(server);
});

test('300 headers are read', async (t) => {
  const server = await listening(t);
  const many = Array.from({ length: 300 }, (_, n) => `X-${n}: ${n}\r\n`).join('');
  const answer = await exchange(server, `GET /healthz HTTP/1.1\r\nHost: a\r\n${many}\r\n`);
  assert.deepEqual(statusesOf(answer), [200]);
});

test('a second Host behind thousands of headers is never taken for a single one', async (t) => {
  const server = await listening(t);
  const many = 'A:b\r\n'.repeat(3000);
  const answer = await exchange(server, `GET /healthz HTTP/1.1\r\nHost: a\r\n${many}Host: b\r\n\r\n`);
  assert.match(String(statusesOf(answer)), /^4\d\d$/);
  await assertStillAnswers(server);
});

test('pipelined requests are answered in their order', async (t) => {
  const server = await listening(t);
  const paths = ['/healthz', '/nothing', '/pdns/v2/rate_limit', '/healthz'];
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
  assert.deepEqual(statusesOf(await exchange(server, requests)), [200, 404, 403, 200]);
});

const dripping: [name: string, beginning: string, drop: string][] = [
  ['headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\n', 'X: y\r\n'],
  ['a body', `${post}Content-Length: 1000\r\n\r\n`, ' '],
  ['a chunked body', `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
];

test('slow clients', { concurrency: true }, async (t) => {
  const settings = { 'http.headersTimeoutSeconds': '1', 'http.requestTimeoutSeconds': '2' };
  const server = await listening(t, settings);
  const cutOff = dripping.map(([name, beginning, drop]) =>
    t.test(`${name} dripping in for longer than allowed is cut off with 408`, async (sub) => {
      const socket = await open(server);
      const drips = setInterval(() => socket.write(drop), 250);
      sub.after(() => clearInterval(drips));
      socket.write(beginning);
      assert.deepEqual(statusesOf(await read(socket)), [408]);
    }),
  );
  await Promise.all(cutOff);
  await assertStillAnswers(server);
});

test('connections beyond http.connectionsPerAddressMax are closed unanswered, and a place freed is given again', async (t) => {
  const server = await listening(t, { 'http.connectionsPerAddressMax': '3' });
  const held = await Promise.all([1, 2, 3].map(() => open(server)));
  const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
  assert.deepEqual(statusesOf(await exchange(server, request)), []);
  held[0]?.write(request);
  assert.deepEqual(statusesOf(await read(held[0] as Socket)), [200]);
  await pause(50);
  await assertStillAnswers(server);
});

const bodyMax = 2048;
const tooLarge: [dialect: string, route: string, status: number, body: RegExp][] = [
  ['platform', 'POST /v1/intel-investigate/', 400, /^\{"error":\{"code":400,/],
  ['platform for a path that is not there', 'POST /v1/nothing/', 400, /^\{"error":\{"code":400,/],
  ['batch', 'POST /batchd/v1/validate', 403, /^\{"_status":"NOK",.*"type":"invalid-parameters"/],
];

for (const [dialect, route, status, body] of tooLarge) {
  test(`a body over http.bodyBytesMax is refused in the words of the ${dialect}`, async (t) => {
    const server = await listening(t, { 'http.bodyBytesMax': String(bodyMax) });
    const { key, batchKey } = await server.user();
    const head = `${route} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n`;
    const text = JSON.stringify({ apikey: batchKey, filler: 'x'.repeat(bodyMax) });
    const chunk = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    for (const request of [
      `${head}Content-Length: ${text.length}\r\n\r\n${text}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`,
    ]) {
      const answer = await exchange(server, request);
      assert.deepEqual(statusesOf(answer), [status]);
      assert.match(answer.split('\r\n\r\n')[1] ?? '', body);
    }
    await assertStillAnswers(server);
  });
}

test('a body announced as larger than http.bodyBytesMax is refused before it is sent', async (t) => {
  const server = await listening(t, { 'http.bodyBytesMax': String(bodyMax) });
  const answer = await exchange(server, `${post}Content-Length: 1000000000\r\n\r\n`);
  assert.deepEqual(statusesOf(answer), [403]);
  await assertStillAnswers(server);
});
