/** Real web servers on loopback, under names of the test. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ProbeResult } from '../../../../src/collect/collectors/collector.ts';
import { createWebCollector } from '../../../../src/collect/collectors/web/web-collector.ts';
import type { HostThrottle } from '../../../../src/concurrency/host-throttle.ts';
import { normaliseRecord } from '../../../../src/model/record/normalise.ts';
import type { Dialer } from '../../../../src/outgoing/guarded-dialer.ts';
import { openReceiver, type ReceiverOptions } from '../../../harness/network/http-receiver.ts';
import { tlsCertificate } from '../../../harness/network/tls-certificate.ts';
import { TestClock } from '../../../harness/test-clock.ts';
import { loopbackDialer, noThrottle, probeRequest } from '../probing.ts';

const collect = { bodyBytesMax: 100_000, lookSeconds: 30, userAgent: 'Probe/1' };

function collector(
  dialer: Dialer,
  throttle: Pick<HostThrottle, 'run'> = noThrottle,
  more: Partial<typeof collect> = {},
) {
  const settings = { collect: { ...collect, ...more } };
  return createWebCollector({ dialer, throttle, settings, clock: new TestClock() });
}

function foundPart(outcome: ProbeResult) {
  assert.ok(outcome.outcome === 'found', JSON.stringify(outcome));
  const { part } = outcome;
  const kept = normaliseRecord({ domain: 'acme.example', ...part });
  assert.ok('record' in kept, JSON.stringify(kept));
  for (const [member, value] of Object.entries(part))
    assert.deepEqual(kept.record[member as keyof typeof part], value, `${member} is in its form`);
  return part;
}

type Answer = NonNullable<ReceiverOptions['answer']>;

/** One server for all names; `answer` distinguishes them by host. */
async function sitesWith(t: TestContext, answer: Answer, resolve?: (host: string) => Promise<string[]>) {
  const receiver = await openReceiver(t, { answer });
  return { receiver, dialer: loopbackDialer({ http: receiver.port }, resolve) };
}

const page =
  (title: string, more = ''): Answer =>
  (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', server: 'nginx/1.2' })
      .end(`<html><title>${title}</title>${more}`);

test('status, title, server and trackers of a site are found, and absent members are left out', async (t) => {
  const { receiver, dialer } = await sitesWith(
    t,
    page('Sign in', '<script>gtag("config","G-ABC1234567")</script>'),
  );
  const part = foundPart(await collector(dialer).probe(probeRequest('acme.example')));
  assert.deepEqual(part, {
    website_response: 200,
    website_title: 'Sign in',
    server_type: 'nginx/1.2',
    analytics_v4_codes: ['G-ABC1234567'],
  });
  const { host, 'user-agent': agent } = receiver.received[0]?.headers ?? {};
  assert.deepEqual([host, agent], ['acme.example', 'Probe/1']);
});

test('the collector returns only members that it owns', async (t) => {
  const { dialer } = await sitesWith(t, page('x'));
  const { members, name } = collector(dialer);
  const part = foundPart(await collector(dialer).probe(probeRequest('acme.example')));
  assert.deepEqual([name, members.length], ['web', 16]);
  assert.deepEqual(
    Object.keys(part).filter((member) => !(members as readonly string[]).includes(member)),
    [],
  );
});

test('redirects in headers and pages are followed, and the record has the final URL', async (t) => {
  const { receiver, dialer } = await sitesWith(t, (received, response) => {
    const at = `${received.headers.host}${received.path}`;
    if (at === 'acme.example/') response.writeHead(301, { location: 'http://hop.example/a?b#c' }).end();
    else if (at === 'hop.example/a?b')
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>Wait</title><meta http-equiv=refresh content="0; url=//login.evil.example/in">');
    else return page('Login')(received, response);
  });
  assert.deepEqual(foundPart(await collector(dialer).probe(probeRequest('acme.example'))), {
    redirect: 'http://login.evil.example/in',
    redirect_domain: 'evil.example',
    website_response: 200,
    website_title: 'Login',
    server_type: 'nginx/1.2',
  });
  assert.equal(receiver.received.length, 3);
});

test("a redirect to the site's own www is not recorded", async (t) => {
  const { dialer } = await sitesWith(t, (received, response) =>
    received.headers.host === 'www.acme.example'
      ? page('Home')(received, response)
      : void response.writeHead(302, { location: 'http://www.acme.example/home' }).end(),
  );
  const part = foundPart(await collector(dialer).probe(probeRequest('acme.example')));
  assert.deepEqual([part.redirect, part.website_title], [undefined, 'Home']);
});

test('redirect loops and endless redirects are cut off', async (t) => {
  const { receiver, dialer } = await sitesWith(t, ({ path, headers }, response) => {
    const next = Number(path.slice(1)) + 1;
    const to = { 'circle.example': path === '/' ? '/b' : '/', 'same.example': '/', 'on.example': `/${next}` };
    response.writeHead(302, { location: to[headers.host as keyof typeof to] }).end();
  });
  for (const [domain, requests] of [
    ['circle.example', 2],
    ['same.example', 1],
    ['on.example', 11],
  ] as const) {
    const before = receiver.received.length;
    assert.deepEqual(foundPart(await collector(dialer).probe(probeRequest(domain))), {
      website_response: 302,
    });
    assert.equal(receiver.received.length - before, requests, domain);
  }
});

test('a redirect to a refused address is recorded and not followed', async (t) => {
  const inside = await openReceiver(t, { host: '127.0.0.1' });
  const targets = [
    'http://169.254.169.254/latest/meta-data/',
    `http://127.0.0.1:${inside.port}/`,
    'http://rebinding.example/',
    'http://10.0.0.1/',
  ];
  for (const target of targets) {
    const { dialer } = await sitesWith(
      t,
      (_, response) => void response.writeHead(302, { location: target }).end(),
      async (host) => (host === 'rebinding.example' ? ['127.0.0.1', '169.254.169.254'] : ['127.0.0.1']),
    );
    const part = foundPart(await collector(dialer).probe(probeRequest('acme.example')));
    assert.deepEqual([part.redirect, part.website_response], [target, 302]);
  }
  assert.equal(inside.received.length, 0);
});

test('a redirect to an invalid or non-web URL is ignored', async (t) => {
  for (const location of ['javascript:alert(1)', 'ftp://a.example/', 'http://', `/${'x'.repeat(5000)}`, '']) {
    const { dialer } = await sitesWith(t, (_, response) => void response.writeHead(302, { location }).end());
    assert.deepEqual(foundPart(await collector(dialer).probe(probeRequest('acme.example'))), {
      website_response: 302,
    });
  }
});

test('without an http server https is probed, whatever its certificate', async (t) => {
  const tls = await tlsCertificate('another.example');
  const receiver = await openReceiver(t, { tls, answer: page('Secure') });
  const dialer = loopbackDialer({ https: receiver.port });
  assert.equal(
    foundPart(await collector(dialer).probe(probeRequest('acme.example'))).website_title,
    'Secure',
  );
});

test('a closed port, a host without address and another protocol all mean that there is no site', async (t) => {
  const empty = { outcome: 'found', part: {} };
  assert.deepEqual(await collector(loopbackDialer({})).probe(probeRequest('acme.example')), empty);
  const error = Object.assign(new Error('queryA ENODATA'), { code: 'ENODATA', syscall: 'queryA' });
  const nowhere = loopbackDialer({}, () => Promise.reject(error));
  assert.deepEqual(await collector(nowhere).probe(probeRequest('acme.example')), empty);
  for (const greeting of ['SSH-2.0-OpenSSH\r\n', '\0\0\0', '']) {
    const server = createServer((socket) => void socket.on('error', () => undefined).end(greeting));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const { port } = server.address() as { port: number };
    assert.deepEqual(
      await collector(loopbackDialer({ http: port })).probe(probeRequest('acme.example')),
      empty,
    );
  }
});

test('a timeout is a transient failure, a refused address a permanent one', async (t) => {
  const { dialer } = await sitesWith(t, () => undefined);
  const slow = await collector(dialer, noThrottle, { lookSeconds: 1 }).probe(probeRequest('slow.example'));
  assert.deepEqual([slow.outcome, 'isTransient' in slow && slow.isTransient], ['failed', true]);
  const inside = loopbackDialer({}, async () => ['10.1.2.3']);
  const refused = await collector(inside).probe(probeRequest('private.example'));
  assert.deepEqual([refused.outcome, 'isTransient' in refused && refused.isTransient], ['failed', false]);
  assert.match('reason' in refused ? refused.reason : '', /10\.1\.2\.3, which is not a public address/);
});

test('a failure after a redirect keeps the response of the site itself', async (t) => {
  const { dialer } = await sitesWith(t, ({ headers }, response) => {
    if (headers.host === 'acme.example') response.writeHead(301, { location: 'http://dead.example/x' }).end();
    else response.destroy();
  });
  assert.deepEqual(foundPart(await collector(dialer).probe(probeRequest('acme.example'))), {
    redirect: 'http://dead.example/x',
    redirect_domain: 'dead.example',
    website_response: 301,
  });
});

test('a response that is not HTML has no title, and one without content type is sniffed', async (t) => {
  const body = '<title>T</title>';
  for (const [headers, title] of [
    [{ 'content-type': 'application/pdf' }, undefined],
    [{ 'content-type': 'text/plain' }, undefined],
    [{ 'content-type': 'application/xhtml+xml' }, 'T'],
    [{}, 'T'],
    [{ 'content-type': 'text/html', 'content-encoding': 'odd' }, undefined],
  ] as const) {
    const { dialer } = await sitesWith(t, (_, response) => void response.writeHead(404, headers).end(body));
    const part = foundPart(await collector(dialer).probe(probeRequest('acme.example')));
    assert.deepEqual([part.website_title, part.website_response], [title, 404]);
  }
});

test('hostile pages are read as data: script and escapes in titles and headers, a decompression bomb, an endless page', async (t) => {
  const endless: Answer = async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Endless</title>');
    while (response.writable) await new Promise((written) => response.write('x'.repeat(65_536), written));
  };
  const bomb = gzipSync(Buffer.concat([Buffer.from('<title>Bomb</title>'), Buffer.alloc(20_000_000)]));
  const { dialer } = await sitesWith(t, (received, response) => {
    if (received.headers.host === 'endless.example') return endless(received, response);
    if (received.headers.host === 'bomb.example')
      return void response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(bomb);
    response.writeHead(200, { 'content-type': 'text/html', server: `<b>\tx\xff${'y'.repeat(400)}` });
    response.end('<title><script>alert("\x1b[2J\u202e")</script></title>');
  });
  const part = foundPart(await collector(dialer).probe(probeRequest('acme.example')));
  assert.equal(part.website_title, '<script>alert(" [2J\u202e")</script>');
  assert.equal(part.server_type?.length, 255);
  assert.equal(
    foundPart(await collector(dialer).probe(probeRequest('endless.example'))).website_title,
    'Endless',
  );
  assert.equal(foundPart(await collector(dialer).probe(probeRequest('bomb.example'))).website_title, 'Bomb');
});

test('every request is throttled by the address of the domain where it is known, otherwise by host name', async (t) => {
  const { dialer } = await sitesWith(t, (received, response) =>
    received.headers.host === 'acme.example'
      ? void response.writeHead(302, { location: 'http://other.example/' }).end()
      : page('x')(received, response),
  );
  const servers: string[] = [];
  const throttle: Pick<HostThrottle, 'run'> = { run: (server, _, work) => (servers.push(server), work()) };
  const known = { domain: 'acme.example', ip: [{ address: '192.0.2.7' }] };
  await collector(dialer, throttle).probe({ ...probeRequest('acme.example'), known });
  assert.deepEqual(servers, ['192.0.2.7', 'other.example']);
});

test('an aborted signal ends the probe', async (t) => {
  const { receiver, dialer } = await sitesWith(t, () => undefined);
  const ending = new AbortController();
  const probe = collector(dialer).probe(probeRequest('slow.example', ending.signal));
  await receiver.until(1);
  ending.abort(new Error('the process stops'));
  await assert.rejects(probe, /the process stops/);
});
