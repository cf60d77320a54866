/** The web sites of the world: what a visitor sees, and what they do to one who is not careful. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompress, createGunzip, gunzip } from 'node:zlib';
import { openListeners } from '../../../world/servers/web/open-listeners.ts';
import { domainOf, type Served, serveSmallWorld, site, siteAddresses } from './small-world.ts';

const trackers = {
  ad_tracker_code: ['pub-1234567890123456'],
  analytics_code: ['UA-12345678-1'],
  analytics_v4_codes: ['G-ABCDEF1234', 'G-ZYXWVU9876'],
  tag_manager_codes: ['GTM-ABC1234'],
  social_codes: ['123456789012345'],
  heatmap_codes: ['1234567'],
  analytics_cn_codes: ['0123456789abcdef0123456789abcdef'],
  metrics_ru_codes: ['12345678'],
  selfhosted_analytics_codes: ['42'],
  counter_project_codes: ['87654321'],
  counter_security_codes: ['a1b2c3d4'],
};

const hostile = (name: string, kind: Parameters<typeof site>[0]) =>
  domainOf(name, { actor: 'hostile', site: site(kind), certifiedMs: undefined });

const bodyOf = async ({ get }: Served, url: string) => (await get(url)).body.toString('utf8');

test('every tracker of a site stands in its page as its service has it', async (t) => {
  const served = await serveSmallWorld(t, [domainOf('tracked.zon', { site: site('shop', { trackers }) })]);
  const page = await bodyOf(served, 'http://tracked.zon/');
  for (const piece of [
    'adsbygoogle.js?client=ca-pub-1234567890123456"',
    "ga('create', 'UA-12345678-1', 'auto')",
    'gtag/js?id=G-ABCDEF1234"',
    "gtag('config', 'G-ZYXWVU9876')",
    "'dataLayer','GTM-ABC1234')",
    'ns.html?id=GTM-ABC1234"',
    "fbq('init', '123456789012345')",
    'hjid:1234567,',
    'hm.baidu.com/hm.js?0123456789abcdef0123456789abcdef"',
    'ym(12345678, "init"',
    "['setSiteId', '42']",
    'sc_project=87654321;',
    'sc_security="a1b2c3d4";',
  ])
    assert.ok(page.includes(piece), piece);
});

test('a login page of another wears the colours of the brand', async (t) => {
  const served = await serveSmallWorld(t);
  const coloursOf = (page: string) => /:root\{([^}]*)\}/.exec(page)?.[1];
  const [brand, copy, other] = [
    await bodyOf(served, 'http://brand.zon/'),
    await bodyOf(served, 'http://brand-login.zon/'),
    await bodyOf(served, 'http://sakura.asi/'),
  ];
  assert.match(brand, /<title>Brand &#38; Co<\/title>/);
  assert.match(copy, /<input type="password"/);
  assert.equal(coloursOf(copy), coloursOf(brand));
  assert.notEqual(coloursOf(other), coloursOf(brand));
});

test('a redirect leads on, and a site is only where its domain leads', async (t) => {
  const served = await serveSmallWorld(t);
  const away = await served.get('http://away.zon/');
  assert.deepEqual([away.status, away.headers['location']], [302, 'https://brand.zon/welcome']);
  assert.equal((await served.get('http://login.brand.zon/account')).status, 200);
  const before = await served.get('http://thick.gla/');
  served.world.put(domainOf('thick.gla', { addresses: [siteAddresses[1]] }), 'moved');
  const after = await served.get('http://thick.gla/');
  assert.deepEqual(
    [before.status, before.address, after.status, after.address],
    [200, siteAddresses[0], 200, siteAddresses[1]],
  );
  served.world.put(domainOf('thick.gla', { addresses: [siteAddresses[1]], site: undefined }), 'taken-down');
  assert.equal((await served.get('http://thick.gla/')).status, 404);
});

test('titles that are programs, commands or a million characters long come as they are', async (t) => {
  const names = [
    'script-title-script.gla',
    'script-title-escape.gla',
    'script-title-bidi.gla',
    'script-title-long.gla',
  ];
  const served = await serveSmallWorld(
    t,
    names.map((name) => hostile(name, 'script-title')),
  );
  const titleOf = async (name = '') =>
    /<title>([\s\S]*?)<\/title>/.exec(await bodyOf(served, `http://${name}/`))?.[1] ?? '';
  assert.match(await titleOf(names[0]), /<script>alert/);
  assert.match(await titleOf(names[1]), /\u001b\]0;owned\u0007/);
  assert.match(await titleOf(names[2]), /\u202e/);
  assert.equal((await titleOf(names[3])).length, 1_000_000);
});

test('a small body unpacks to two hundred megabytes, three ways', async (t) => {
  const codings = {
    'zip-bomb-gzip.gla': 'gzip',
    'zip-bomb-brotli.gla': 'br',
    'zip-bomb-nested.gla': 'gzip, gzip',
  };
  const served = await serveSmallWorld(
    t,
    Object.keys(codings).map((name) => hostile(name, 'zip-bomb')),
  );
  const [plain, brotli, nested] = await Promise.all(
    Object.entries(codings).map(async ([name, coding]) => {
      const { headers, body } = await served.get(`http://${name}/`);
      assert.equal(headers['content-encoding'], coding);
      assert.ok(body.length < 300_000, `${coding}: ${body.length} bytes`);
      return body;
    }),
  );
  let bytes = 0;
  for await (const piece of Readable.from([plain]).pipe(
    createGunzip({ chunkSize: 1_000_000 }),
  ) as AsyncIterable<Buffer>)
    bytes += piece.length;
  assert.equal(bytes, 200_000_000);
  assert.deepEqual(await promisify(gunzip)(nested ?? ''), plain);
  await assert.rejects(promisify(brotliDecompress)(brotli ?? '', { maxOutputLength: 5_000_000 }), RangeError);
});

test('redirects go in a circle, grow, and lead into private networks, where the dialer does not follow', async (t) => {
  const forms = {
    circle: '/a',
    growing: '/on',
    loopback: 'http://127.0.0.1/',
    metadata: 'http://169.254.169.254/latest/meta-data/',
  };
  const served = await serveSmallWorld(
    t,
    Object.keys(forms).map((form) => hostile(`redirect-loop-${form}.gla`, 'redirect-loop')),
  );
  for (const [form, location] of Object.entries(forms)) {
    const url = `http://redirect-loop-${form}.gla/`;
    assert.equal((await served.get(url)).headers['location'], location);
    const followed = served.dialer.send({
      method: 'GET',
      url,
      timeoutMs: 5000,
      responseBytesMax: 1000,
      redirectsMax: 5,
    });
    if (location.startsWith('/')) assert.equal((await followed).status, 302);
    else await assert.rejects(followed, { code: 'invalid-parameters' });
  }
});

test('a great page is ten megabytes, an endless one goes on, and a slow one does not begin', async (t) => {
  const served = await serveSmallWorld(t, [
    hostile('great-page.gla', 'great-page'),
    hostile('endless-page.gla', 'endless-page'),
    hostile('slow-page.gla', 'slow-page'),
  ]);
  const { body } = await served.get('http://great-page.gla/');
  assert.ok(body.length > 10_000_000 && body.length < 10_001_000);
  const endless = {
    method: 'GET',
    url: 'http://endless-page.gla/',
    timeoutMs: 5000,
    responseBytesMax: 120,
  } as const;
  assert.equal((await served.dialer.send(endless)).isTruncated, true);
  for (const url of ['http://endless-page.gla/', 'http://slow-page.gla/'])
    await assert.rejects(
      served.dialer.send({ ...endless, url, timeoutMs: 300, responseBytesMax: 1_000_000 }),
      {
        code: 'timed-out',
      },
    );
});

test('a port that is taken at one address is given up for one that is free at all', async (t) => {
  const taken = createServer().listen(0, siteAddresses[1]);
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const suggestions = [port, 0];
  const places = siteAddresses.map((address) => ({
    address,
    accept: { echo: (socket: Socket) => void socket.end(address) },
  }));
  const opened = await openListeners(places, () => suggestions.shift() ?? 0);
  t.after(() => opened.close());
  assert.notEqual(opened.ports.echo, port);
  assert.deepEqual(suggestions, []);
  for (const address of siteAddresses)
    assert.equal((await buffer(connect(opened.ports.echo, address))).toString(), address);
});

test('visitors who ask for much and take nothing cost the world next to nothing', async (t) => {
  const served = await serveSmallWorld(t, [
    hostile('great-page.gla', 'great-page'),
    hostile('endless-whois.gla', 'home'),
  ]);
  const before = process.memoryUsage().rss;
  const ask = (port: number, host: string, text: string) =>
    Array.from({ length: 20 }, () =>
      connect(port, served.addressOf(host))
        .on('error', () => undefined)
        .end(text),
    );
  const idle = [
    ...ask(served.port('httpPort'), 'great-page.gla', 'GET / HTTP/1.1\r\nhost: great-page.gla\r\n\r\n'),
    ...ask(served.port('whoisPort'), 'whois.namely.zon', 'endless-whois.gla\r\n'),
  ];
  t.after(() => idle.forEach((socket) => socket.destroy()));
  assert.ok((await served.get('http://great-page.gla/')).body.length > 10_000_000);
  assert.ok(process.memoryUsage().rss - before < 150_000_000);
});
