/** Malformed and hostile requests, sent byte by byte over a real connection. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { keepText } from '../harness/artifacts.ts';
import { type TestServer, testServer } from '../harness/server/test-server.ts';

interface Listening extends TestServer {
  readonly port: number;
  readonly sockets: Socket[];
}

/** Clients are closed first, because a closing server waits for idle connections. */
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
  // A server that closes with unread bytes resets the connection, which is an error event here.
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes and reads until the server closes, or until it has been silent for a while after a response. */
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
  const timeout = setTimeout(() => socket.destroy(new Error('no response')), 20_000);
  socket.on('data', (chunk) => {
    text += chunk;
    clearTimeout(quiet);
    quiet = setTimeout(() => socket.destroy(), quietMs);
  });
  await closed;
  clearTimeout(quiet);
  clearTimeout(timeout);
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
    await t.test(`${name} returns 400, and the next valid request is answered`, async () => {
      const statuses = statusesOf(await exchange(server, bytes));
      assert.deepEqual(statuses, [400]);
      await assertStillAnswers(server);
    });
  }
});

test('a header larger than http.headerBytesMax returns 431', async (t) => {
  const server = await listening(t, { 'http.headerBytesMax': '4096' });
  const large = `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(5000)}\r\n\r\n`;
  assert.deepEqual(statusesOf(await exchange(server, large)), [431]);
  const long = `GET /healthz?${'x'.repeat(5000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
  assert.deepEqual(statusesOf(await exchange(server, long)), [431]);
  await assertStillAnswers(server);
});

test('a request with 300 headers is accepted', async (t) => {
  const server = await listening(t);
  const many = Array.from({ length: 300 }, (_, n) => `X-${n}: ${n}\r\n`).join('');
  const answer = await exchange(server, `GET /healthz HTTP/1.1\r\nHost: a\r\n${many}\r\n`);
  assert.deepEqual(statusesOf(answer), [200]);
});

test('a second Host header after thousands of other headers is detected', async (t) => {
  const server = await listening(t);
  const many = 'A:b\r\n'.repeat(3000);
  const answer = await exchange(server, `GET /healthz HTTP/1.1\r\nHost: a\r\n${many}Host: b\r\n\r\n`);
  assert.match(String(statusesOf(answer)), /^4\d\d$/);
  await assertStillAnswers(server);
});

test('pipelined requests are answered in order', async (t) => {
  const server = await listening(t);
  const paths = ['/healthz', '/nothing', '/pdns/v2/rate_limit', '/healthz'];
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
  assert.deepEqual(statusesOf(await exchange(server, requests)), [200, 404, 403, 200]);
});

const slowRequests: [name: string, beginning: string, drop: string][] = [
  ['headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\n', 'X: y\r\n'],
  ['a body', `${post}Content-Length: 1000\r\n\r\n`, ' '],
  ['a chunked body', `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
];

test('slow clients', { concurrency: true }, async (t) => {
  const settings = { 'http.headersTimeoutSeconds': '1', 'http.requestTimeoutSeconds': '2' };
  const server = await listening(t, settings);
  const cutOff = slowRequests.map(([name, beginning, drop]) =>
    t.test(`${name} sent too slowly returns 408`, async (sub) => {
      const socket = await open(server);
      const timer = setInterval(() => socket.write(drop), 250);
      sub.after(() => clearInterval(timer));
      socket.write(beginning);
      assert.deepEqual(statusesOf(await read(socket)), [408]);
    }),
  );
  await Promise.all(cutOff);
  await assertStillAnswers(server);
});

test('connections beyond http.connectionsPerAddressMax are closed without a response, and closing one makes room for another', async (t) => {
  const server = await listening(t, { 'http.connectionsPerAddressMax': '3' });
  const connections = await Promise.all([1, 2, 3].map(() => open(server)));
  const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
  assert.deepEqual(statusesOf(await exchange(server, request)), []);
  connections[0]?.write(request);
  assert.deepEqual(statusesOf(await read(connections[0] as Socket)), [200]);
  await pause(50);
  await assertStillAnswers(server);
});

const bodyMax = 2048;
const tooLarge: [dialect: string, route: string, status: number, body: RegExp][] = [
  ['platform', 'POST /v1/intel-investigate/', 400, /^\{"error":\{"code":400,/],
  ['platform, at an unknown path', 'POST /v1/nothing/', 400, /^\{"error":\{"code":400,/],
  ['batch', 'POST /batchd/v1/validate', 403, /^\{"_status":"NOK",.*"type":"invalid-parameters"/],
];

for (const [dialect, route, status, body] of tooLarge) {
  test(`a body over http.bodyBytesMax is rejected in the dialect of ${dialect}`, async (t) => {
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

test('a Content-Length larger than http.bodyBytesMax is rejected before the body is sent', async (t) => {
  const server = await listening(t, { 'http.bodyBytesMax': String(bodyMax) });
  const answer = await exchange(server, `${post}Content-Length: 1000000000\r\n\r\n`);
  assert.deepEqual(statusesOf(answer), [403]);
  await assertStillAnswers(server);
});

test('an upload that the client aborts is one line of the log, at level info and without a stack', async (t) => {
  const server = await listening(t);
  for (const body of ['Content-Length: 1000\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n'])
    for (const close of ['resetAndDestroy', 'end'] as const) {
      const before = server.log();
      const socket = await open(server);
      socket.write(`POST /v1/intel-enrich/?api_key=secret HTTP/1.1\r\nHost: a.example\r\n${body}`);
      await pause(50);
      socket[close]();
      let lines: string[] = [];
      for (let waits = 0; waits < 100 && lines.length === 0; waits += 1) {
        await pause(20);
        lines = server.log().slice(before.length).trim().split('\n').filter(Boolean);
      }
      assert.equal(lines.length, 1, lines.join('\n'));
      const { level, method, url, problem, msg, err } = JSON.parse(lines[0] as string) as Record<
        string,
        unknown
      >;
      assert.deepEqual([level, method, url], [30, 'POST', '/v1/intel-enrich/?api_key=redacted']);
      assert.deepEqual(
        [problem, msg, err],
        ['malformed-request', 'client disconnected during its request', undefined],
      );
    }
});

test('a client that is still sending a body that is too large can read the answer, and the next one on the same connection', async (t) => {
  const server = await listening(t);
  const { key } = await server.user({ permissions: ['manage'] });
  const socket = await open(server);
  const length = 3 << 20;
  const head = `Host: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
  socket.write(`POST /v1/intel-detect/monitors/ HTTP/1.1\r\n${head}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(String(answer), /^HTTP\/1\.1 400 [^]*too large/);
  socket.write(Buffer.alloc(length, 'x'));
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.match(await read(socket), /^HTTP\/1\.1 200 /);
});

test('the connection of a body without a bound is closed', async (t) => {
  const server = await listening(t);
  const { key } = await server.user({ permissions: ['manage'] });
  const head = `Host: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${2 ** 40}`;
  const answer = await exchange(server, `POST /v1/intel-detect/monitors/ HTTP/1.1\r\n${head}\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/i);
});
