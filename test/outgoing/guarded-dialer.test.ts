/** Real servers on loopback. A function of the test resolves names, and may change its answer. */
import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { ProblemCode } from '../../src/model/problem.ts';
import { createDialer, type OutgoingRequest } from '../../src/outgoing/guarded-dialer.ts';
import { openReceiver } from '../harness/network/http-receiver.ts';
import { tlsCertificate } from '../harness/network/tls-certificate.ts';

const bounds = { timeoutMs: 5000, responseBytesMax: 1000, ports: 'configured' } as const;
const get = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url,
  ...bounds,
  ...more,
});

function dialer(allow: readonly string[], ...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return answers[Math.min(asked.length, answers.length) - 1] ?? [];
  };
  return { ...createDialer({ settings: { outgoing: { allow } }, resolve }), asked };
}

const closed = dialer([]);

function refused(work: Promise<unknown>, code: ProblemCode, message = /./): Promise<void> {
  return assert.rejects(work, { name: 'Problem', code, message });
}

test('an address that is not public is refused, however the URL spells it', async () => {
  const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '0x7f000001', '①②⑦.0.0.1', '0'];
  const names = [
    '１２７.０.０.１',
    '169.254.169.254',
    '10.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
  ];
  const mapped = ['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fd00:ec2::254]', '127.0.0.1.', '%31%32%37.0.0.1'];
  for (const host of [...hosts, ...names, ...mapped])
    await refused(closed.check(`http://${host}/`), 'invalid-parameters', /is not a public address/);
});

test('every spelling of a private IPv4 address is refused', async () => {
  const octets = fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255));
  const spelled = (octet: number, form: number) =>
    [String(octet), `0x${octet.toString(16)}`, `0${octet.toString(8)}`][form];
  await fc.assert(
    fc.asyncProperty(
      octets,
      fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }),
      async ([a, b, c, d], forms) => {
        const dotted = [a, b, c, d].map((octet, index) => spelled(octet, forms[index] ?? 0)).join('.');
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        for (const host of [dotted, number, `0x${number.toString(16)}`, `${a}.${(b * 256 + c) * 256 + d}`])
          await refused(closed.check(`http://${host}/`), 'invalid-parameters');
      },
    ),
    { numRuns: 50 },
  );
});

test('a host is refused for one private address among public ones', async () => {
  const mixed = dialer([], ['1.1.1.1', '2606:4700::1111', '10.0.0.1']);
  await refused(mixed.check('http://mixed.example/'), 'invalid-parameters', /10\.0\.0\.1/);
  await dialer([], ['1.1.1.1', '2606:4700::1111']).check('http://good.example/');
});

test('outgoing.allow allows what it lists and nothing else', async (t) => {
  const receiver = await openReceiver(t);
  const opened = dialer(['127.0.0.1/32'], ['127.0.0.1']);
  assert.equal((await opened.send(get(`http://inside.example:${receiver.port}/x`))).status, 200);
  assert.equal(receiver.received[0]?.headers.host, `inside.example:${receiver.port}`);
  await refused(opened.check('http://127.0.0.2/'), 'invalid-parameters');
});

test('DNS rebinding has no effect: a name is resolved once, and the connection goes to the checked address', async (t) => {
  const second = await openReceiver(t, { host: '127.0.0.2' });
  const first = await openReceiver(t, { port: second.port });
  const rebinding = dialer(['127.0.0.2'], ['127.0.0.2'], ['127.0.0.1']);
  const url = `http://rebinding.example:${second.port}/`;
  await rebinding.send(get(url));
  assert.deepEqual([first.received.length, second.received.length], [0, 1]);
  assert.deepEqual(rebinding.asked, ['rebinding.example']);
  await refused(rebinding.send(get(url)), 'invalid-parameters');
  assert.deepEqual([first.received.length, second.received.length], [0, 1]);
});

test('when the first address refuses the connection the next one is tried', async (t) => {
  const receiver = await openReceiver(t);
  const both = dialer(['127.0.0.0/8'], ['127.0.0.9', '127.0.0.1']);
  assert.equal((await both.send(get(`http://two.example:${receiver.port}/`))).status, 200);
});

test('only http and https URLs without password are allowed, on their default ports unless the operator configured another', async () => {
  for (const url of [
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'gopher://1.1.1.1/',
    'nonsense',
    '',
    '//1.1.1.1/',
  ])
    await refused(closed.check(url, 'configured'), 'invalid-parameters');
  await refused(closed.check('http://a:b@1.1.1.1/'), 'invalid-parameters', /password/);
  await refused(closed.check('http://1.1.1.1:25/'), 'invalid-parameters', /port 25/);
  await refused(closed.check('https://1.1.1.1:80/'), 'invalid-parameters', /port 80/);
  await refused(closed.check('http://1.1.1.1:0/', 'configured'), 'invalid-parameters');
  await closed.check('http://1.1.1.1:80/');
  await closed.check('https://1.1.1.1:443/');
  await closed.check('https://1.1.1.1:8443/', 'configured');
});

test('a host without an address, or with too many, is unavailable', async () => {
  await refused(dialer([], []).check('http://none.example/'), 'unavailable');
  const many = Array.from({ length: 65 }, () => '1.1.1.1');
  await refused(dialer([], many).check('http://many.example/'), 'unavailable');
  const resolve = () => Promise.reject(new Error('queryA ENOTFOUND none.example'));
  const failing = createDialer({ settings: { outgoing: { allow: [] } }, resolve });
  await refused(failing.check('http://none.example/'), 'unavailable', /ENOTFOUND/);
});

test('a redirect is followed only when requested, and checked like the first URL', async (t) => {
  const inside = await openReceiver(t);
  const hop = await openReceiver(t, {
    host: '127.0.0.2',
    answer: ({ path }, response) => {
      const to = path === '/in' ? `http://rebinding.example:${inside.port}/secret` : '/end';
      response.writeHead(path === '/end' ? 200 : 302, { location: to }).end(path);
    },
  });
  const url = (path: string) => `http://rebinding.example:${hop.port}${path}`;
  const outside = ['127.0.0.2'];
  const following = dialer(outside, outside, outside, outside, outside, ['127.0.0.1']);
  assert.equal((await following.send(get(url('/x')))).status, 302);
  const end = await following.send(get(url('/x'), { redirectsMax: 1 }));
  assert.deepEqual([end.status, end.body.toString()], [200, '/end']);
  await refused(following.send(get(url('/in'), { redirectsMax: 1 })), 'invalid-parameters');
  assert.equal(inside.received.length, 0);
  const post = { method: 'POST', body: '{}', redirectsMax: 5 } as const;
  assert.equal((await dialer(outside, outside).send(get(url('/x'), post))).status, 302);
});

test('headers are not sent to another origin after a redirect', async (t) => {
  const web = await openReceiver(t, {
    answer: ({ headers: { host } }, response) => {
      if (host === 'first.example') response.writeHead(302, { location: 'http://other.example/there' });
      response.end();
    },
  });
  const resolve = async () => ['127.0.0.1'];
  const ports = { http: web.port, https: web.port };
  const through = createDialer({ settings: { outgoing: { allow: ['127.0.0.1'] } }, resolve, ports });
  const headers = { authorization: 'Bearer x' };
  const answer = await through.send(get('http://first.example/', { headers, redirectsMax: 3 }));
  assert.equal(answer.url, 'http://other.example/there');
  const [first, second] = web.received;
  assert.deepEqual([first?.headers.host, first?.headers.authorization], ['first.example', 'Bearer x']);
  assert.deepEqual([second?.headers.host, second?.headers.authorization], ['other.example', undefined]);
});

test('a configured port allows no other: a redirect to another port is refused', async (t) => {
  const other = await openReceiver(t);
  const first = await openReceiver(t, {
    answer: (_, response) =>
      void response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
  });
  await refused(
    dialer(['127.0.0.1']).send(get(first.url, { redirectsMax: 3 })),
    'invalid-parameters',
    /is not a port of http/,
  );
  assert.equal(other.received.length, 0);
});

test('a connection for any other protocol goes to a checked address only', async (t) => {
  const greeter = createServer((socket) => socket.end('hello'));
  await new Promise<void>((resolve) => greeter.listen(0, '127.0.0.1', resolve));
  t.after(() => greeter.close());
  const { port } = greeter.address() as AddressInfo;
  const request = { host: 'greeter.example', port, timeoutMs: 5000 };
  const { socket, address } = await dialer(['127.0.0.1'], ['127.0.0.1']).connect(request);
  assert.equal(address, '127.0.0.1');
  assert.equal(String(await socket.setEncoding('utf8').toArray()), 'hello');
  await refused(dialer([], ['127.0.0.1']).connect(request), 'invalid-parameters', /is not a public address/);
  await refused(dialer([], []).connect(request), 'unavailable');
});

test('a redirect loop ends', async (t) => {
  const circle = await openReceiver(t, {
    answer: (_, response) => void response.writeHead(302, { location: '/' }).end(),
  });
  await dialer(['127.0.0.1']).send(get(circle.url, { redirectsMax: 5 }));
  assert.equal(circle.received.length, 6);
});

test('an endless response is truncated', async (t) => {
  const endless = await openReceiver(t, {
    answer: async (_, response) => {
      const piece = Buffer.alloc(65_536, 'x');
      while (response.writable) await new Promise((resolve) => response.write(piece, resolve));
    },
  });
  const answer = await dialer(['127.0.0.1']).send(get(endless.url));
  assert.deepEqual([answer.status, answer.body.length, answer.isTruncated], [200, 1000, true]);
  const unread = await dialer(['127.0.0.1']).send(get(endless.url, { responseBytesMax: 0 }));
  assert.deepEqual([unread.status, unread.body.length], [200, 0]);
});

async function silentServer(t: TestContext, greeting: string): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => undefined).write(greeting));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
}

test('a timeout ends a silent server, half a header, half a body, and a resolver that never answers', async (t) => {
  const open = dialer(['127.0.0.1']);
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nhalf';
  for (const greeting of ['', 'HTTP/1.1 200 O', half])
    await refused(open.send(get(await silentServer(t, greeting), { timeoutMs: 100 })), 'timed-out');
  const never = createDialer({
    settings: { outgoing: { allow: [] } },
    resolve: () => new Promise<never>(() => undefined),
  });
  await refused(never.send(get('http://slow.example/', { timeoutMs: 50 })), 'timed-out');
});

test('a malformed response is a failure, and so is a refused connection', async (t) => {
  const open = dialer(['127.0.0.1']);
  const longHeader = `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n`;
  for (const nonsense of ['SSH-2.0-OpenSSH\r\n', '\0\0\0', longHeader])
    await refused(open.send(get(await silentServer(t, nonsense))), 'unavailable');
  await refused(open.send(get('http://127.0.0.1:1/')), 'unavailable', /ECONNREFUSED/);
});

test('TLS is verified against the name in the URL', async (t) => {
  const tls = await tlsCertificate('receiver.example');
  const receiver = await openReceiver(t, { tls });
  const settings = { outgoing: { allow: ['127.0.0.1'] } };
  const resolve = async () => ['127.0.0.1'];
  const trusting = createDialer({ settings, resolve, ca: tls.cert });
  const url = (host: string) => `https://${host}:${receiver.port}/`;
  assert.equal((await trusting.send(get(url('receiver.example')))).status, 200);
  await refused(trusting.send(get(url('other.example'))), 'unavailable', /altnames/);
  await refused(trusting.send(get(url('127.0.0.1'))), 'unavailable');
  await refused(createDialer({ settings, resolve }).send(get(url('receiver.example'))), 'unavailable');
});

async function keptSetup(t: TestContext, answers: readonly (readonly string[])[]) {
  const tls = await tlsCertificate('kept.example');
  const ports: (number | undefined)[] = [];
  const receiver = await openReceiver(t, {
    tls,
    host: '0.0.0.0',
    answer: ({ path }, response) => {
      ports.push(response.socket?.remotePort);
      // The second request over a connection finds it closed.
      if (path === '/closes' && ports.filter((port) => port === ports.at(-1)).length > 1)
        response.socket?.destroy();
      else response.end(path === '/long' ? 'x'.repeat(2_000_000) : 'done');
    },
  });
  let asked = 0;
  const resolve = async () => answers[Math.min(asked++, answers.length - 1)] ?? [];
  const kept = createDialer({
    settings: { outgoing: { allow: ['127.0.0.0/8'] } },
    resolve,
    ca: tls.cert,
  });
  const url = (path: string) => `https://kept.example:${receiver.port}${path}`;
  const send = (request: OutgoingRequest) => kept.send(request);
  return { send, url, connections: () => new Set(ports).size };
}

test('a kept connection is used for the next request, and by no request that did not ask for it', async (t) => {
  const { send, url, connections } = await keptSetup(t, [['127.0.0.1']]);
  for (let request = 0; request < 3; request += 1) {
    const { body, address } = await send(get(url('/'), { connection: 'kept' }));
    assert.deepEqual([body.toString(), address], ['done', '127.0.0.1']);
  }
  assert.equal(connections(), 1);
  await send(get(url('/')));
  assert.equal(connections(), 2);
});

test('many requests at once take no more kept connections than there are requests at once', async (t) => {
  const { send, url, connections } = await keptSetup(t, [['127.0.0.1']]);
  const atOnce = 16;
  const sendSome = async () => {
    for (let request = 0; request < 20; request += 1) {
      const { body } = await send(get(url('/'), { connection: 'kept' }));
      assert.equal(body.toString(), 'done');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendSome));
  assert.ok(connections() <= atOnce, `${connections()} connections`);
});

test('a kept connection whose response was too long is not used again', async (t) => {
  const { send, url, connections } = await keptSetup(t, [['127.0.0.1']]);
  for (let request = 0; request < 2; request += 1) {
    const { isTruncated } = await send(get(url('/long'), { connection: 'kept' }));
    assert.equal(isTruncated, true);
  }
  assert.equal(connections(), 2);
});

test('a kept connection is not used where other addresses were checked', async (t) => {
  const { send, url, connections } = await keptSetup(t, [['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']]);
  for (const expected of ['127.0.0.1', '127.0.0.2']) {
    const { address } = await send(get(url('/'), { connection: 'kept' }));
    assert.equal(address, expected);
  }
  assert.equal(connections(), 2);
  await refused(send(get(url('/'), { connection: 'kept' })), 'invalid-parameters', /10\.0\.0\.1/);
});

test('a request over a kept connection that the server has closed is sent again', async (t) => {
  const { send, url, connections } = await keptSetup(t, [['127.0.0.1']]);
  for (let request = 0; request < 2; request += 1)
    assert.equal((await send(get(url('/closes'), { connection: 'kept' }))).status, 200);
  assert.equal(connections(), 2);
});
