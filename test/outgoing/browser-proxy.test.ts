/** Real connections on loopback: a client in place of the browser, the proxy, and servers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, request as requestHttp } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import {
  type BrowserProxy,
  type BrowserProxyNeeds,
  openBrowserProxy,
} from '../../src/outgoing/browser-proxy.ts';
import { createDialer } from '../../src/outgoing/guarded-dialer.ts';
import { type MadeRequest, recordingRequests } from '../../src/outgoing/request-recorder.ts';

const password = 'known to one browser';
const credentials = `Basic ${Buffer.from(`browser:${password}`).toString('base64')}`;
const authorized = { 'proxy-authorization': credentials };

/** Names of the test: `inside` is allowed, `private` is not. */
async function resolve(host: string): Promise<readonly string[]> {
  if (host === 'inside.example') return ['127.80.0.1'];
  if (host === 'private.example') return ['169.254.169.254'];
  throw new Error('no such name');
}

async function serve(t: TestContext, answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.80.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function proxyTo(
  t: TestContext,
  port: number,
  more: Partial<BrowserProxyNeeds> = {},
): Promise<BrowserProxy> {
  const proxy = await openBrowserProxy({
    dialer: createDialer({ settings: { outgoing: { allow: ['127.80.0.0/12'] } }, resolve }),
    ports: { http: port, https: port },
    password,
    bytesMax: 1_000_000,
    connectionsMax: 20,
    connectTimeoutMs: 5000,
    ...more,
  });
  t.after(() => proxy.close());
  return proxy;
}

interface Got {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

async function get(
  proxy: BrowserProxy,
  url: string,
  headers: Record<string, string> = authorized,
): Promise<Got> {
  const sent = requestHttp({ host: '127.0.0.1', port: proxy.port, path: url, headers, agent: false });
  sent.setHeader('host', URL.parse(url)?.host ?? '');
  sent.end();
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const piece of answer) text += piece;
  return { status: answer.statusCode, text, headers: answer.headers };
}

interface Tunnel {
  readonly status: number | undefined;
  readonly socket: Socket;
}

async function tunnel(
  proxy: BrowserProxy,
  to: string,
  headers: Record<string, string> = authorized,
): Promise<Tunnel> {
  const sent = requestHttp({
    host: '127.0.0.1',
    port: proxy.port,
    method: 'CONNECT',
    path: to,
    headers,
    agent: false,
  });
  sent.end();
  const [answer, socket] = await once(sent, 'connect');
  return { status: answer.statusCode, socket };
}

test('an absolute-form request reaches its server as the browser sent it, without proxy headers', async (t) => {
  const received: unknown[] = [];
  const port = await serve(t, (request, answer) => {
    received.push([request.method, request.url, request.headers]);
    answer.setHeader('x-twice', ['1', '2']).writeHead(404).end('gone');
  });
  const proxy = await proxyTo(t, port);
  const got = await get(proxy, 'http://inside.example/a%20b?c=d', { ...authorized, 'user-agent': 'one' });
  assert.deepEqual([got.status, got.text, got.headers['x-twice']], [404, 'gone', '1, 2']);
  const sent = { 'user-agent': 'one', host: 'inside.example', connection: 'close' };
  assert.deepEqual(received, [['GET', '/a%20b?c=d', sent]]);
  assert.equal(proxy.findAddress('inside.example'), '127.80.0.1');
});

test('a tunnel carries bytes both ways', async (t) => {
  const server = createTcpServer((socket) => socket.pipe(socket)).listen(0, '127.80.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const proxy = await proxyTo(t, (server.address() as AddressInfo).port);
  const { status, socket } = await tunnel(proxy, 'inside.example:443');
  assert.equal(status, 200);
  socket.write('echo');
  assert.equal(String((await once(socket, 'data'))[0]), 'echo');
  socket.end();
  await once(socket, 'close');
});

test('a client without the password is refused', async (t) => {
  let asked = 0;
  const port = await serve(t, (_request, answer) => {
    asked += 1;
    answer.end();
  });
  const proxy = await proxyTo(t, port);
  for (const wrong of ['', 'Basic', `${credentials}x`, credentials.slice(0, -1), `Bearer ${password}`]) {
    const headers = wrong === '' ? {} : { 'proxy-authorization': wrong };
    const got = await get(proxy, 'http://inside.example/', headers);
    assert.deepEqual([got.status, got.headers['proxy-authenticate']], [407, 'Basic realm="browser"']);
    const { status, socket } = await tunnel(proxy, 'inside.example:443', headers);
    socket.destroy();
    assert.equal(status, 407);
  }
  assert.equal(asked, 0);
});

test('addresses that are not public are refused, for requests and tunnels', async (t) => {
  let asked = 0;
  const port = await serve(t, (_request, answer) => {
    asked += 1;
    answer.end();
  });
  const proxy = await proxyTo(t, port);
  const hosts = ['127.0.0.1', 'localhost', '169.254.169.254', 'private.example', '10.0.0.1', '0', '[::1]'];
  for (const host of hosts) {
    await assert.rejects(get(proxy, `http://${host}/`), /socket hang up|ECONNRESET/, host);
    const { status, socket } = await tunnel(proxy, `${host}:443`);
    socket.destroy();
    assert.equal(status, 502, host);
  }
  assert.match(proxy.findError('private.example') ?? '', /not a public address/);
  assert.equal(proxy.findAddress('private.example'), undefined);
  assert.equal(asked, 0);
});

test('only the ports of HTTP and HTTPS are allowed, and only http URLs without a tunnel', async (t) => {
  const port = await serve(t, (_request, answer) => answer.end());
  const proxy = await proxyTo(t, port);
  for (const to of [
    'inside.example:22',
    `inside.example:${port}`,
    'inside.example:0',
    'inside.example',
    ':443',
    '',
  ]) {
    const { status, socket } = await tunnel(proxy, to || '/');
    socket.destroy();
    assert.equal(status, 502, to);
  }
  for (const url of [
    `http://inside.example:${port}/`,
    'ftp://inside.example/',
    'file:///etc/passwd',
    '/etc/passwd',
    'https://inside.example/',
  ])
    await assert.rejects(get(proxy, url), /socket hang up|ECONNRESET/, url);
});

test('a page that exceeds its byte budget is cut off, over requests and tunnels', async (t) => {
  const port = await serve(t, (_request, answer) => {
    const more = () => {
      while (answer.write('x'.repeat(65_536)));
    };
    answer.on('drain', more);
    more();
  });
  const proxy = await proxyTo(t, port, { bytesMax: 500_000 });
  await assert.rejects(get(proxy, 'http://inside.example/endless'));
  assert.ok(proxy.bytes > 500_000 && proxy.bytes < 2_000_000, String(proxy.bytes));
  const { status, socket } = await tunnel(proxy, 'inside.example:443');
  socket.destroy();
  assert.notEqual(status, undefined);
  await assert.rejects(get(proxy, 'http://inside.example/once-more'));
});

test('a page that opens too many connections gets no more', async (t) => {
  const port = await serve(t, (_request, answer) => answer.end('here'));
  const proxy = await proxyTo(t, port, { connectionsMax: 3 });
  for (let at = 0; at < 3; at += 1) assert.equal((await get(proxy, 'http://inside.example/')).text, 'here');
  await assert.rejects(get(proxy, 'http://inside.example/'));
  assert.match(proxy.findError('inside.example') ?? '', /too many connections/);
});

test('closing ends open connections', async (t) => {
  const port = await serve(t, () => undefined);
  const proxy = await proxyTo(t, port);
  const waiting = get(proxy, 'http://inside.example/never');
  const { socket } = await tunnel(proxy, 'inside.example:443');
  const closed = once(socket, 'close');
  socket.resume();
  await Promise.all([proxy.close(), assert.rejects(waiting), closed]);
});

test('neither a server nor a client can crash the process', async (t) => {
  let answer: Uint8Array = Buffer.alloc(0);
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  }).listen(0, '127.80.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const proxy = await proxyTo(t, (server.address() as AddressInfo).port, { connectionsMax: 10_000 });
  const heads = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'HTTP/1.1 099 Odd\r\n\r\n',
    'HTTP/1.1 200 \u0001\u00ff\r\nX: a\u0000b\r\nContent-Length: 1\r\n\r\nx',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 None\r\nContent-Length: 9\r\n\r\n',
  ].map((text) => Buffer.from(text, 'latin1'));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...heads)),
      fc.uint8Array({ maxLength: 100 }),
      async (bytes, sent) => {
        answer = bytes;
        await get(proxy, 'http://inside.example/').catch(() => undefined);
        const client = connect(proxy.port ?? 0, '127.0.0.1');
        client.on('error', () => undefined).resume();
        client.end(Buffer.concat([Buffer.from('GET http://inside.example/ HTTP/1.1\r\n'), sent]));
        await once(client, 'close');
      },
    ),
    { numRuns: 40 },
  );
  answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstill');
  assert.equal((await get(proxy, 'http://inside.example/')).text, 'still');
});

test('what the browser connects to is recorded for the capture that opened its proxy', async (t) => {
  const port = await serve(t, (_request, response) => response.end('page'));
  const made: MadeRequest[] = [];
  const proxy = await recordingRequests({ record: (request) => made.push(request) }, () => proxyTo(t, port));
  assert.equal((await get(proxy, 'http://inside.example/')).status, 200);
  const [{ source, ...request } = {}, ...others] = made;
  assert.deepEqual(
    [request, others],
    [{ protocol: 'tcp', host: 'inside.example', address: '127.80.0.1', port, outcome: 'connected' }, []],
  );
  assert.match(source ?? '', /^127\./);
});
