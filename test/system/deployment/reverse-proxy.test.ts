/** The files of `packaging/` and `deploy/` for reverse proxies, with the real software: each API answers as it does directly. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createPrintedLink, getPersonToSignIn } from '../../../src/product/people/operate-people.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { someTime } from '../../harness/fixtures/observe-rrsets.ts';
import { startedStream } from '../../harness/server/event-stream.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { fileScope } from '../../harness/test-scope.ts';
import { haproxy, nginxOfNodes } from './balancers.ts';
import {
  caddy,
  nginx,
  type ProxiedServer,
  type ProxySoftware,
  type Response,
  startProxied,
} from './proxied-server.ts';

const scope = fileScope();
const started = new Map<ProxySoftware, Promise<ProxiedServer>>();

/** One server for all tests of a proxy. */
async function needsProxied(t: TestContext, proxy: ProxySoftware): Promise<ProxiedServer | undefined> {
  if (!needsPackage(t, proxy.debianPackage, proxy.command)) return undefined;
  const proxied = started.get(proxy) ?? startProxied(scope, proxy);
  started.set(proxy, proxied);
  return proxied;
}

const essence = ({ status, headers, text }: Response) => ({ status, type: headers['content-type'], text });

for (const proxy of [nginx, caddy, nginxOfNodes, haproxy]) {
  const behind = `behind ${proxy.name}`;
  const proxied = (title: string, work: (server: ProxiedServer) => Promise<void>) =>
    void test(`${behind} ${title}`, async (t) => {
      const server = await needsProxied(t, proxy);
      if (server) await work(server);
    });

  proxied('the account is answered as it is directly', async ({ server, ask, askDirectly }) => {
    const headers = { 'x-api-key': server.key };
    const direct = await askDirectly('/v1/account/', { headers });
    assert.equal(direct.status, 200);
    assert.deepEqual(essence(await ask('/v1/account/', { headers })), essence(direct));
  });

  proxied('a signature over an unusual path is accepted', async ({ server, ask }) => {
    // The path must arrive as it was sent: neither decoded nor tidied up.
    for (const path of ['/v1/account/', '/v1/account/%2e%2e%2faccount/', '/v1/feed/n%6Fd/']) {
      const now = new Date(server.clock.now()).toISOString();
      const query = path.includes('feed') ? 'after=-60&' : '';
      const url = `${path}?${query}${queryOf(signed(server, now, path))}`;
      const { status, text } = await ask(url);
      assert.notEqual(status, 401, text);
      assert.notEqual(status, 403, text);
      server.clock.advanceSeconds(1);
    }
  });

  proxied('a path with escapes is answered as it is directly', async ({ server, ask, askDirectly }) => {
    for (const path of [
      '/pdns/v2/lookup/rrset/name/a%2Eexample',
      '/v1//account/',
      '/v1/account/..%2fx',
      '/ui//x',
    ]) {
      const headers = { 'x-api-key': server.key, accept: 'application/x-ndjson' };
      const [through, direct] = [await ask(path, { headers }), await askDirectly(path, { headers })];
      assert.equal(through.status, direct.status, path);
      if (direct.status !== 404) assert.equal(through.text, direct.text, path);
    }
  });

  proxied('a long answer of passive DNS is the same, byte by byte', async ({ server, ask, askDirectly }) => {
    await server.observe(
      Array.from({ length: 4000 }, (_, index) => ({
        rrname: `host${index}.example.`,
        rdata: [`192.0.2.${index % 250}`],
        time_first: someTime,
        time_last: someTime + index,
      })),
    );
    const path = '/pdns/v2/lookup/rrset/name/*.example?limit=10000';
    const headers = { 'x-api-key': server.key, accept: 'application/x-ndjson' };
    const direct = await askDirectly(path, { headers });
    assert.ok(direct.text.split('\n').length > 4000, `${direct.status} ${direct.text.slice(0, 300)}`);
    assert.equal((await ask(path, { headers })).text, direct.text);
  });

  proxied('each line of a live tail arrives when it is written', async ({ server, open }) => {
    const live = await startedStream(
      await open('/v1/feed/nod/tail/', { headers: { 'x-api-key': server.key } }),
    );
    for (const [index, name] of ['a.example', 'b.example'].entries()) {
      await server.appendNames('nod', name);
      await live.until(() => live.events.length === index + 1);
      assert.equal(live.names[index], name);
    }
    live.answer.destroy();
  });

  proxied('a link signs in to the web UI with a cookie for TLS alone', async ({ server, url, ask }) => {
    const person = await getPersonToSignIn(server.username, server);
    const link = new URL(await createPrintedLink(person, server.settings, server));
    assert.equal(link.origin, url);
    const page = await ask(link.pathname + link.search);
    assert.match(page.text, /<title>Nameglass/);
    const headers = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'nameglass', origin: url };
    const entered = await ask('/ui/api/session/link', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ token: link.searchParams.get('t') }),
    });
    assert.equal(entered.status, 200, entered.text);
    const cookie = entered.headers['set-cookie']?.find((one) => /ng=/.test(one)) ?? '';
    assert.match(cookie, /; Secure/);
    const me = await ask('/ui/api/me', { headers: { ...headers, cookie: cookie.split(';')[0] ?? '' } });
    assert.equal(me.status, 200, me.text);
  });

  proxied('a body that is too large is refused as it is directly', async ({ server, ask, askDirectly }) => {
    const request = {
      method: 'POST',
      headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
      body: JSON.stringify({ padding: 'x'.repeat(3 << 20) }),
    };
    const direct = await askDirectly('/v1/intel-detect/monitors/', request);
    assert.match(direct.text, /too large/);
    assert.deepEqual(essence(await ask('/v1/intel-detect/monitors/', request)), essence(direct));
  });

  proxied('a client cannot choose the address that it comes from', async ({ server, ask }) => {
    await ask('/v1/account/', { headers: { 'x-api-key': server.key, 'x-forwarded-for': '203.0.113.77' } });
    assert.ok(!server.log().includes('203.0.113.77'));
  });
}
