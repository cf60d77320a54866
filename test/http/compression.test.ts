import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Answer, testServer } from '../harness/test-server.ts';

/** The account answer, which is long, asked for with each `Accept-Encoding`; undefined sends none. */
async function askedWith(t: TestContext, ...accepted: (string | undefined)[]): Promise<Answer[]> {
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
  test(`Accept-Encoding: ${accepted} gets gzip, and the decoded body is that of a plain answer`, async (t) => {
    const [plain, packed] = (await askedWith(t, undefined, accepted)) as [Answer, Answer];
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(packed.bytes), plain.bytes);
    assert.ok(packed.bytes.length < plain.bytes.length);
    assert.equal(Number(packed.headers['content-length'] ?? packed.bytes.length), packed.bytes.length);
    assert.equal(packed.headers['content-type'], plain.headers['content-type']);
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
  test(`Accept-Encoding: ${accepted ?? 'absent'} gets a plain answer`, async (t) => {
    const [answer] = (await askedWith(t, accepted)) as [Answer];
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.ok(answer.bytes.length > 1024);
    assert.equal(answer.json.response.account.active, true);
  });
}

test('no cache may keep an answer, so none can give a packed one to a client that did not ask', async (t) => {
  for (const answer of await askedWith(t, 'gzip', 'identity')) {
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('the other formats are packed as well', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  for (const format of ['xml', 'html']) {
    const route = `GET /v1/account/?format=${format}`;
    const plain = await server.call(route, { key });
    const packed = await server.call(route, { key, headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(packed.bytes).toString(), plain.text);
  }
});

test('a short answer is left as it is', async (t) => {
  const server = await testServer(t);
  const answer = await server.call('GET /v1/account/', { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(answer.status, 403);
  assert.equal(answer.headers['content-encoding'], undefined);
  assert.equal(answer.json.error.code, 403);
});
