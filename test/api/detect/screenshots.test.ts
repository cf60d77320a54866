import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import sharp from 'sharp';
import type { Image } from '../../../src/store/image-store.ts';
import type { Answer } from '../../harness/server/test-server.ts';
import type { TestScope } from '../../harness/test-scope.ts';
import { shownBy, storeRecords } from '../enrich/stored-records.ts';
import { type DetectFixture, detectFixture, type Json } from './detect-fixture.ts';

const [width, height] = [200, 300];
const captured = '2026-03-01T00:00:00.000Z';
const hourMs = 3_600_000;

/** Each row of pixels has its own colour, so that an image shows what was cropped. */
async function image(shade = 0): Promise<Image> {
  const pixels = Buffer.alloc(width * height * 3, shade);
  for (let at = 0; at < pixels.length; at += 3) pixels[at] = Math.floor(at / 3 / width) % 256;
  const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  const pixelHash = createHash('sha256').update(pixels).digest('hex');
  return { bytes, mimetype: 'image/png', width, height, pixelHash };
}

interface World extends DetectFixture {
  /** Stores an image of a domain, captured some hours after the start. */
  readonly capture: (domain: string, hours?: number, shade?: number) => Promise<void>;
  readonly fail: (domain: string, hours: number) => Promise<void>;
  /** The screenshot object in an Enrich response. */
  readonly object: (domain: string) => Promise<Json>;
  /** Stores a domain record and an image, and returns the screenshot object. */
  readonly addScreenshot: (domain: string) => Promise<Json>;
  readonly get: (url: string, headers?: Record<string, string>) => Promise<Answer>;
}

async function world(scope: TestScope, settings: Record<string, string> = {}): Promise<World> {
  const made = await detectFixture(scope, { settings });
  const { server, user } = made;
  await made.monitor('acme');
  const timeOf = (hours: number) => Date.parse(captured) + hours * hourMs;
  const capture: World['capture'] = async (domain, hours = 0, shade = 0) => {
    const [url, ipAddress] = [`http://${domain}`, '192.0.2.7'];
    await server.images.saveCapture({
      domain,
      atMs: timeOf(hours),
      url,
      ipAddress,
      image: await image(shade),
    });
  };
  const object: World['object'] = async (domain) =>
    (await shownBy(server, { product: 'intel-enrich', key: user.key, domain, more: '&screenshots=1' }))
      .screenshot;
  return {
    ...made,
    capture,
    object,
    fail: (domain, hours) => server.images.recordFailure(domain, timeOf(hours), 'no answer'),
    addScreenshot: async (domain) => {
      await storeRecords(server, [{ domain, active: true }]);
      await capture(domain);
      return object(domain);
    },
    get: (url, headers = {}) => {
      const { pathname, search } = new URL(url);
      return server.call(`GET ${pathname}${search}`, { headers });
    },
  };
}

/** One server for tests that use different domains. */
const shared = world({ after });

test('SHOT-01 SHOT-04 screenshots=1 on the watched list adds the object to each domain that has a capture', async (t) => {
  const { discover, patch, capture, list, item } = await world(t);
  const ids = [await discover('acme-one.example'), await discover('acme-two.example')];
  await patch(ids, 'watched');
  await capture('acme-one.example');
  const shown = (await item('watched', 'acme-one.example', 'screenshots=1')).screenshot;
  assert.deepEqual(Object.keys(shown), ['src', 'timestamp', 'ip_address', 'last_attempt', 'last_seen']);
  assert.ok(!('screenshot' in (await item('watched', 'acme-two.example', 'screenshots=1'))));
  for (const query of ['', 'screenshots=0', 'include_domain_data=1'])
    for (const domain of (await list('watched', query)).watchlist_domains)
      assert.ok(!('screenshot' in domain), query);
});

test('SHOT-01 the lists of new and of ignored domains show it as well', async (t) => {
  const { discover, patch, capture, item } = await world(t);
  const id = await discover('acme-one.example');
  await capture('acme-one.example');
  assert.equal((await item('new', 'acme-one.example', 'screenshots=1')).screenshot.timestamp, captured);
  await patch([id], 'ignored');
  assert.equal((await item('ignored', 'acme-one.example', 'screenshots=1')).screenshot.timestamp, captured);
});

test('SHOT-02 SHOT-04 screenshots=1 on Enrich adds the object to each record that has a capture', async () => {
  const { server, user, addScreenshot } = await shared;
  await addScreenshot('enriched.example');
  await storeRecords(server, [{ domain: 'bare.example' }]);
  const record = (domain: string, more = '') =>
    shownBy(server, { product: 'intel-enrich', key: user.key, domain, more });
  assert.equal((await record('enriched.example', '&screenshots=1')).screenshot.timestamp, captured);
  assert.ok(!('screenshot' in (await record('bare.example', '&screenshots=1'))));
  assert.ok(!('screenshot' in (await record('enriched.example'))));
  assert.ok(!('screenshot' in (await record('enriched.example', '&screenshots=0'))));
});

test('SHOT-03 SHOT-04 screenshots=1 on Investigate adds the object to each record that has a capture', async () => {
  const { server, user, addScreenshot } = await shared;
  const object = await addScreenshot('investigated.example');
  await storeRecords(server, [{ domain: 'plain.example' }]);
  const record = (domain: string, more = '') =>
    shownBy(server, { product: 'intel-investigate', key: user.key, domain, more });
  assert.deepEqual((await record('investigated.example', '&screenshots=1')).screenshot, object);
  assert.ok(!('screenshot' in (await record('plain.example', '&screenshots=1'))));
  assert.ok(!('screenshot' in (await record('investigated.example'))));
});

test('SHOT-03 each record on a large page has its own image', async (t) => {
  const { server, user, capture } = await world(t);
  const names = Array.from({ length: 25 }, (_, index) => `n${String(index).padStart(2, '0')}.example`);
  await storeRecords(
    server,
    names.map((domain) => ({ domain, registrar: 'One' })),
  );
  for (const name of names.slice(5, 20)) await capture(name);
  const { json } = await server.call('GET /v1/intel-investigate/?registrar=One&screenshots=1', {
    key: user.key,
  });
  const shown = json.response.results.map((one: Json) => [
    one.domain,
    one.screenshot && new URL(one.screenshot.src).searchParams.get('domain'),
  ]);
  assert.deepEqual(
    shown.toSorted(),
    names.map((name, index) => [name, index >= 5 && index < 20 ? name : undefined]),
  );
});

test('SHOT-05 src is a URL that carries domain, ts, rurl and token', async () => {
  const { addScreenshot, server } = await shared;
  const url = new URL((await addScreenshot('carried.example')).src);
  assert.equal(url.pathname, '/screenshot_image');
  assert.equal(url.origin, `http://127.0.0.1:${server.settings.http.port}`);
  const { token, ...others } = Object.fromEntries(url.searchParams);
  assert.deepEqual(others, { domain: 'carried.example', ts: captured, rurl: 'http://carried.example' });
  assert.match(token ?? '', /^[0-9a-f]{64}$/);
});

test('SHOT-05 SHOT-15 the host of src is configurable, and src includes the mount prefix', async (t) => {
  const mounted = { 'screenshots.url': 'https://images.example', 'http.mountPrefix': '/dt' };
  const { addScreenshot, get } = await world(t, mounted);
  const { src } = await addScreenshot('mounted.example');
  assert.ok(src.startsWith('https://images.example/dt/screenshot_image?domain=mounted.example&'), src);
  assert.equal((await get(src)).status, 200);
});

test('SHOT-06 SHOT-07 SHOT-08 SHOT-09 times are ISO 8601 in UTC, and the address is a string or null', async () => {
  const { addScreenshot, server, object } = await shared;
  const { src: _src, ...shown } = await addScreenshot('timed.example');
  const same = { timestamp: captured, last_attempt: captured, last_seen: captured };
  assert.deepEqual(shown, { ...same, ip_address: '192.0.2.7' });
  await storeRecords(server, [{ domain: 'nowhere.example' }]);
  const url = 'http://nowhere.example';
  const atMs = Date.parse(captured);
  await server.images.saveCapture({
    domain: 'nowhere.example',
    atMs,
    url,
    ipAddress: undefined,
    image: await image(),
  });
  assert.equal((await object('nowhere.example')).ip_address, null);
});

test('SHOT-06 the shown image is the newest', async () => {
  const { addScreenshot, capture, object, get } = await shared;
  const first = await addScreenshot('newest.example');
  await capture('newest.example', 5, 1);
  const second = await object('newest.example');
  assert.equal(second.timestamp, '2026-03-01T05:00:00.000Z');
  const [before, now] = [await get(first.src), await get(second.src)];
  assert.deepEqual([before.status, now.status], [200, 200], 'the earlier one can still be had');
  assert.ok(!before.bytes.equals(now.bytes));
});

test('SHOT-10 after the first and only capture timestamp = last_seen = last_attempt', async () => {
  const { timestamp, last_seen, last_attempt } = await (await shared).addScreenshot('only.example');
  assert.deepEqual([timestamp, last_seen, last_attempt], [captured, captured, captured]);
});

test('SHOT-11 after a recheck with an identical image timestamp stays, and last_seen = last_attempt is later', async () => {
  const { addScreenshot, capture, object } = await shared;
  const { src } = await addScreenshot('same.example');
  await capture('same.example', 24);
  const shown = await object('same.example');
  const later = '2026-03-02T00:00:00.000Z';
  assert.deepEqual([shown.timestamp, shown.last_seen, shown.last_attempt], [captured, later, later]);
  assert.equal(shown.src, src);
});

test('SHOT-12 after a failed recapture timestamp = last_seen < last_attempt', async () => {
  const { addScreenshot, fail, object } = await shared;
  await addScreenshot('failed.example');
  await fail('failed.example', 24);
  const { timestamp, last_seen, last_attempt } = await object('failed.example');
  assert.deepEqual([timestamp, last_seen, last_attempt], [captured, captured, '2026-03-02T00:00:00.000Z']);
});

test('SHOT-13 after a duplicate and then a failed attempt timestamp < last_seen < last_attempt', async () => {
  const { addScreenshot, capture, fail, object } = await shared;
  await addScreenshot('both.example');
  await capture('both.example', 24);
  await fail('both.example', 48);
  const { timestamp, last_seen, last_attempt } = await object('both.example');
  assert.deepEqual(
    [timestamp, last_seen, last_attempt],
    [captured, '2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
  );
});

test('SHOT-04 a domain whose captures all failed has no screenshot member', async () => {
  const { server, fail, object } = await shared;
  await storeRecords(server, [{ domain: 'dark.example' }]);
  await fail('dark.example', 1);
  assert.equal(await object('dark.example'), undefined);
});

test('SHOT-14 the timestamp is later than first_seen in the current life cycle, and not in one before', async () => {
  const { server, user, capture } = await shared;
  const records = [
    { domain: 'living.example', first_seen: '2026-02-01T00:00:00Z' },
    { domain: 'reborn.example', first_seen: '2026-03-04T00:00:00Z' },
  ];
  await storeRecords(server, records);
  const later = async (domain: string) => {
    await capture(domain);
    const { screenshot, first_seen } = await shownBy(server, {
      product: 'intel-enrich',
      key: user.key,
      domain,
      more: '&screenshots=1',
    });
    return Date.parse(screenshot.timestamp) > Date.parse(first_seen.value);
  };
  assert.deepEqual([await later('living.example'), await later('reborn.example')], [true, false]);
});

test('SHOT-15 GET on src returns the image without any other credential, and HEAD its headers', async () => {
  const { server, addScreenshot, get } = await shared;
  const { src } = await addScreenshot('got.example');
  const answer = await get(src);
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'image/png']);
  assert.ok(answer.bytes.equals((await image()).bytes));
  const head = await server.call(`HEAD ${src.slice(new URL(src).origin.length)}`);
  assert.deepEqual([head.status, head.bytes.length], [200, 0]);
  assert.equal(head.headers['content-length'], String(answer.bytes.length));
  assert.equal(head.headers['etag'], answer.headers['etag']);
});

test('SHOT-15 the image response forbids scripts, is cacheable, and is revalidated by ETag', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('inert.example');
  const { headers } = await get(src);
  assert.match(headers['content-security-policy'] ?? '', /default-src 'none'.*sandbox/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cache-control'], 'private, max-age=31536000, immutable');
  const again = await get(src, { 'if-none-match': headers['etag'] as string });
  assert.deepEqual([again.status, again.bytes.length], [304, 0]);
  const smaller = await get(`${src}&resize_width=50`, { 'if-none-match': headers['etag'] as string });
  assert.equal(smaller.status, 200);
});

test('SHOT-15 an image past its retention returns 404', async (t) => {
  const { server, addScreenshot, capture, get } = await world(t);
  const { src } = await addScreenshot('old.example');
  await capture('old.example', 24, 1);
  assert.equal(await server.images.pruneImages(Date.parse('2026-03-01T12:00:00Z')), 1);
  assert.equal((await get(src)).status, 404);
});

test('SHOT-16 tokens are not logged', async () => {
  const { server, addScreenshot, get } = await shared;
  const { src } = await addScreenshot('logged.example');
  await get(src);
  assert.ok(server.log().includes('domain=logged.example'));
  assert.ok(!server.log().includes(new URL(src).searchParams.get('token') as string));
});

test('SHOT-16 with another domain, ts, rurl or token the GET is refused with 403', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('signed.example');
  const other = await addScreenshot('other.example');
  const altered = (name: string, value: string | undefined) => {
    const url = new URL(src);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return url.href;
  };
  const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';
  const refused = [
    altered('domain', 'other.example'),
    altered('domain', 'signed.example.'),
    altered('ts', '2026-03-01T00:00:00Z'),
    altered('ts', '2026-03-02T00:00:00.000Z'),
    altered('rurl', 'https://signed.example'),
    altered('token', tokenOf(other.src)),
    altered('token', tokenOf(src).toUpperCase()),
    altered('token', `${tokenOf(src)}0`),
    altered('token', ''),
    ...['domain', 'ts', 'rurl', 'token'].map((name) => altered(name, undefined)),
    `${src}&domain=other.example`,
    `${src}&token=${tokenOf(src)}`,
    new URL('/screenshot_image', src).href,
  ];
  for (const link of refused) {
    const answer = await get(link);
    assert.equal(answer.status, 403, link);
    assert.match(answer.text, /SignatureDoesNotMatch/);
  }
  assert.equal((await get(src)).status, 200);
});

test('SHOT-16 with any one signed character changed the GET is refused with 403', async () => {
  const { addScreenshot, get } = await shared;
  const url = new URL((await addScreenshot('random.example')).src);
  const names = ['domain', 'ts', 'rurl', 'token'];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.nat(63),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      async (name, at, character) => {
        const value = url.searchParams.get(name) as string;
        const index = at % value.length;
        const other = value.slice(0, index) + character + value.slice(index + 1);
        const link = new URL(url);
        link.searchParams.set(name, other);
        assert.equal((await get(link.href)).status, link.searchParams.get(name) === value ? 200 : 403);
      },
    ),
    { numRuns: 60 },
  );
});

test('SHOT-16 a token is checked before the image options, and before any lookup', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('first.example');
  assert.equal((await get(`${src.replace(/token=./, 'token=x')}&resize_width=0`)).status, 403);
});

async function sizeAndRows(bytes: Buffer) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const rowOf = (row: number) => data[row * info.width * info.channels];
  return { width: info.width, height: info.height, first: rowOf(0), last: rowOf(info.height - 1) };
}

test('SHOT-17 resize_width below the image width shrinks the image and keeps the aspect ratio', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('shrunk.example');
  for (const [size, rows] of [
    [100, 150],
    [199, 299],
    [67, 101],
    [1, 2],
  ] as const) {
    const answer = await get(`${src}&resize_width=${size}`);
    const got = await sizeAndRows(answer.bytes);
    assert.deepEqual([got.width, got.height], [size, rows]);
    assert.equal(answer.headers['content-type'], 'image/png');
  }
});

test('SHOT-18 resize_width equal to or above the image width leaves the image unchanged', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('wide.example');
  const { bytes } = await image();
  for (const size of ['200', '201', '0200', '9'.repeat(400)])
    assert.ok((await get(`${src}&resize_width=${size}`)).bytes.equals(bytes), size);
});

test('SHOT-19 crop_height below the image height removes pixels from the bottom', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('cropped.example');
  for (const size of [299, 120, 1]) {
    const got = await sizeAndRows((await get(`${src}&crop_height=${size}`)).bytes);
    assert.deepEqual(got, { width, height: size, first: 0, last: (size - 1) % 256 });
  }
});

test('SHOT-20 crop_height equal to or above the image height leaves the image unchanged', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('high.example');
  const { bytes } = await image();
  for (const size of ['300', '301', '99999999999999999999'])
    assert.ok((await get(`${src}&crop_height=${size}`)).bytes.equals(bytes), size);
});

test('SHOT-21 with both the image is resized first and then cropped, in whichever order they are sent', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('resized.example');
  const answers = await Promise.all([
    get(`${src}&resize_width=100&crop_height=120`),
    get(src.replace('?', '?crop_height=120&resize_width=100&')),
  ]);
  for (const { bytes } of answers) {
    const got = await sizeAndRows(bytes);
    assert.deepEqual([got.width, got.height], [100, 120]);
    // Row 120 of 150 was row 240 of 300.
    assert.ok(Math.abs((got.last ?? 0) - 239) < 4, String(got.last));
  }
  const kept = await sizeAndRows((await get(`${src}&resize_width=100&crop_height=200`)).bytes);
  assert.deepEqual([kept.width, kept.height], [100, 150], 'a cut below the shrunk image removes nothing');
});

test('SHOT-22 a resize_width or crop_height that is not a positive integer returns 400', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('wrong.example');
  const wrong = ['', '0', '00', '-1', '+5', '1.5', '1e3', '0x10', 'abc', '5px', ' 5', '٣', 'null', 'NaN'];
  for (const name of ['resize_width', 'crop_height']) {
    for (const value of wrong) {
      const answer = await get(`${src}&${name}=${encodeURIComponent(value)}`);
      assert.equal(answer.status, 400, `${name}=${value}`);
      assert.match(answer.text, new RegExp(name));
    }
    assert.equal((await get(`${src}&${name}=5&${name}=6`)).status, 400);
  }
});

test('SHOT-15 unknown parameters are ignored', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('extra.example');
  assert.equal((await get(`${src}&s3v=1&__proto__=x&resize_width%5B%5D=5`)).status, 200);
});

test('a resized image from the cache is identical', async () => {
  const { addScreenshot, get } = await shared;
  const { src } = await addScreenshot('again.example');
  const made = await Promise.all(Array.from({ length: 8 }, () => get(`${src}&resize_width=90`)));
  const later = await get(`${src}&resize_width=90`);
  assert.ok(made.every(({ bytes }) => bytes.equals(later.bytes)));
});
