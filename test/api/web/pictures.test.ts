/** Pictures of domains in the web UI: by session, not by signed link. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { testServer } from '../../harness/server/test-server.ts';
import { webCall, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });
const hourMs = 3_600_000;
const startMs = Date.parse('2026-03-01T00:00:00Z');

interface Taken {
  readonly hours?: number;
  readonly shade?: number;
  readonly hash?: string;
}

async function capture(domain: string, { hours = 0, shade = 0, hash }: Taken = {}): Promise<void> {
  const pixels = Buffer.alloc(200 * 300 * 3, shade);
  const raw = { width: 200, height: 300, channels: 3 } as const;
  const bytes = await sharp(pixels, { raw }).png().toBuffer();
  const pixelHash = createHash('sha256').update(pixels).digest('hex');
  const image = { bytes, mimetype: 'image/png', width: 200, height: 300, pixelHash };
  await server.images.saveCapture({
    domain,
    atMs: startMs + hours * hourMs,
    url: `http://${domain}`,
    ipAddress: '192.0.2.7',
    image: { ...image, ...(hash === undefined ? {} : { perceptualHash: hash }) },
  });
}

const me = await webSession(server);

test('all pictures of a domain are listed, newest first, with what their times mean', async () => {
  await capture('shop.example', { hours: 0, shade: 1 });
  await capture('shop.example', { hours: 2, shade: 1 });
  await capture('shop.example', { hours: 5, shade: 2, hash: '00ff00ff00ff00ff' });
  await server.images.recordFailure('shop.example', startMs + 6 * hourMs, 'no answer');
  const { status, json } = await me.call('GET /domains/shop.example/pictures');
  assert.equal(status, 200, JSON.stringify(json));
  const [newest, first] = json.captures;
  assert.deepEqual(
    [newest.at, newest.last_attempt, newest.relationship, newest.text, newest.hash, newest.ip],
    [
      '2026-03-01T05:00:00.000Z',
      '2026-03-01T06:00:00.000Z',
      3,
      'taken once; the last attempt failed',
      '00ff00ff00ff00ff',
      '192.0.2.7',
    ],
  );
  assert.deepEqual(
    [first.last_seen, first.relationship, first.text, first.hash],
    ['2026-03-01T02:00:00.000Z', 2, 'the page looked the same at the last attempt', null],
  );
  assert.deepEqual([json.picture.state, json.picture.path, json.more], ['taken', newest.path, false]);
});

test('a picture from before the registration of the domain says so', async () => {
  await capture('again.example');
  await server.domains.upsert([
    { record: { domain: 'again.example' }, source: 'test', seenMs: startMs + hourMs },
  ]);
  const { json } = await me.call('GET /domains/again.example/pictures');
  assert.deepEqual(
    [json.captures[0].relationship, json.captures[0].text],
    [5, 'from an earlier registration of the domain'],
  );
});

test('domains whose pictures look alike are listed, and an empty page is like no other', async () => {
  await capture('kit-a.example', { shade: 10, hash: '0f0f0f0f0f0f0f0f' });
  await capture('kit-b.example', { shade: 11, hash: '0f0f0f0f0f0f0f0e' });
  await capture('kit-c.example', { shade: 12, hash: 'f0f0f0f0f0f0f0f0' });
  const { json } = await me.call('GET /domains/kit-a.example/pictures');
  assert.deepEqual(
    json.alike.map(({ domain, distance }: { domain: string; distance: number }) => [domain, distance]),
    [['kit-b.example', 1]],
  );
  for (const name of ['blank-a.example', 'blank-b.example'])
    await capture(name, { shade: 13, hash: '0000000000000000' });
  assert.deepEqual((await me.call('GET /domains/blank-a.example/pictures')).json.alike, []);
});

test('where there is no picture its reason is given', async () => {
  await server.images.recordFailure('gone.example', startMs, 'gone.example has no address: ENOTFOUND');
  await server.images.recordFailure('slow.example', startMs, 'no screenshot within 30 s');
  const stateOf = async (name: string) => {
    const { json } = await me.call(`GET /domains/${name}/pictures`);
    assert.deepEqual(json.captures, []);
    return [json.picture.state, json.picture.error];
  };
  assert.deepEqual(await stateOf('gone.example'), ['unresolved', 'gone.example has no address: ENOTFOUND']);
  assert.deepEqual(await stateOf('slow.example'), ['failed', 'no screenshot within 30 s']);
  assert.deepEqual(await stateOf('never.example'), ['none', undefined]);
});

test('a picture is sent to people who are signed in, shrunk and cropped as requested, with an ETag', async () => {
  await capture('image.example', { shade: 40 });
  const { json } = await me.call('GET /domains/image.example/pictures');
  const path = json.captures[0].path.replace(/^\/ui\/api/, '');
  const whole = await me.call(`GET ${path}`);
  assert.deepEqual([whole.status, whole.headers['content-type']], [200, 'image/png']);
  const sizeOf = async (bytes: Buffer) => {
    const { width, height } = await sharp(bytes).metadata();
    return [width, height];
  };
  assert.deepEqual(await sizeOf(whole.bytes), [200, 300]);
  const small = await me.call(`GET ${path}?width=100&height=60`);
  assert.deepEqual(await sizeOf(small.bytes), [100, 60]);
  const etag = small.headers['etag'] ?? '';
  const again = await me.call(`GET ${path}?width=100&height=60`, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  assert.match(whole.headers['cache-control'] ?? '', /^private, /);
  assert.equal((await webCall(server, `GET ${path}`)).status, 401);
  assert.equal((await me.call(`GET ${path}?width=0`)).status, 422);
});

test('a picture that is not stored, or an id that is none, is not found', async () => {
  for (const id of ['1-none.example', '0-..%2F..%2Fimages.db', 'x', '1-', `1-${'a'.repeat(300)}`]) {
    const { status } = await me.call(`GET /pictures/${id}`);
    assert.ok(status === 404 || status === 422, `${id}: ${status}`);
  }
});
