import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Answer, testServer } from '../harness/server/test-server.ts';

/** The account summary, which is large enough to compress, with each `Accept-Encoding`; undefined sends none. */
async function requestedWith(t: TestContext, ...accepted: (string | undefined)[]): Promise<Answer[]> {
  const server = await testServer(t);
  const { key } = await server.user();
  const answers: Answer[] = [];
  for (const encoding of accepted) {
    const headers: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding };
    answers.push(await server.call('GET /v1/account/', { key, headers }));
  }
  return answers;
}

for (const accepted of [
  'gzip',
  'GZIP',
  'gzip, deflate, br',
  'br;q=1.0, gzip;q=0.5',
  'deflate,x-gzip',
  'gzip;q=0.001',
]) {
  test(`Accept-Encoding: ${accepted} returns gzip, which decodes to the uncompressed body`, async (t) => {
    const [plain, compressed] = (await requestedWith(t, undefined, accepted)) as [Answer, Answer];
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(compressed.bytes), plain.bytes);
    assert.ok(compressed.bytes.length < plain.bytes.length);
    assert.equal(
      Number(compressed.headers['content-length'] ?? compressed.bytes.length),
      compressed.bytes.length,
    );
    assert.equal(compressed.headers['content-type'], plain.headers['content-type']);
  });
}

for (const accepted of [
  undefined,
  '',
  'identity',
  'deflate, br',
  'gzip;q=0',
  'br, gzip; q=0.000',
  'gzipped',
  'GZIP;Q=0',
]) {
  test(`Accept-Encoding: ${accepted ?? 'absent'} returns an uncompressed response`, async (t) => {
    const [answer] = (await requestedWith(t, accepted)) as [Answer];
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.ok(answer.bytes.length > 1024);
    assert.equal(answer.json.response.account.active, true);
  });
}

test('responses are not cacheable, so no cache can send a compressed one to another client', async (t) => {
  for (const answer of await requestedWith(t, 'gzip', 'identity')) {
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('XML and HTML responses are compressed as well', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  for (const format of ['xml', 'html']) {
    const route = `GET /v1/account/?format=${format}`;
    const plain = await server.call(route, { key });
    const compressed = await server.call(route, { key, headers: { 'accept-encoding': 'gzip' } });
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(compressed.bytes).toString(), plain.text);
  }
});

test('a short response is not compressed', async (t) => {
  const server = await testServer(t);
  const answer = await server.call('GET /v1/account/', { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(answer.status, 403);
  assert.equal(answer.headers['content-encoding'], undefined);
  assert.equal(answer.json.error.code, 403);
});
