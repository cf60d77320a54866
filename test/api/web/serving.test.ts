import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { testServer } from '../../harness/server/test-server.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const page = '<!doctype html><title>Nameglass</title>';
const script = 'console.log("app")';

function builtApp(): string {
  const directory = temporaryDirectory({ after });
  mkdirSync(join(directory, 'assets'));
  for (const [name, text] of [
    ['index.html', page],
    ['assets/index-1a2b3c.js', script],
    ['icon.svg', '<svg/>'],
  ] as const) {
    writeFileSync(join(directory, name), text);
    writeFileSync(join(directory, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(directory, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(join(directory, 'secret.json'), '{}');
  return directory;
}

const appDirectory = builtApp();
const server = await testServer({ after }, { appDirectory });
const host = 'localhost:8080';
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.call(`${method} ${path}`, { headers: { host, ...headers } });

test('every path of the app is its entry page, which is asked for again each time', async () => {
  for (const path of [
    '/ui',
    '/ui/',
    '/ui/triage?s=new',
    '/ui/domain/a.example',
    '/ui/enter?t=x',
    '/ui/assets/gone.js',
    '/ui/secret.json',
  ]) {
    const answer = await get(path);
    assert.deepEqual([answer.status, answer.text], [200, page], path);
    assert.equal(answer.headers['cache-control'], 'no-cache');
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  }
});

test('files whose names have a digest are kept by browsers for good', async () => {
  const answer = await get('/ui/assets/index-1a2b3c.js');
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal((await get('/ui/icon.svg')).headers['cache-control'], 'no-cache');
});

test('files are sent in the best form that the browser accepts', async () => {
  const path = '/ui/assets/index-1a2b3c.js';
  const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
  assert.deepEqual(
    [brotli.headers['content-encoding'], brotliDecompressSync(brotli.bytes).toString()],
    ['br', script],
  );
  const gzip = await get(path, { 'accept-encoding': 'gzip, br;q=0' });
  assert.deepEqual([gzip.headers['content-encoding'], gunzipSync(gzip.bytes).toString()], ['gzip', script]);
  const plain = await get(path);
  assert.deepEqual(
    [plain.headers['content-encoding'], plain.text, plain.headers['vary']],
    [undefined, script, 'accept-encoding'],
  );
});

test('a page that has not changed is not sent again', async () => {
  const etag = (await get('/ui/')).headers['etag'] ?? '';
  const answer = await get('/ui/', { 'if-none-match': etag });
  assert.deepEqual([answer.status, answer.text], [304, '']);
});

test('HEAD answers as GET without the body', async () => {
  const answer = await get('/ui/', {}, 'HEAD');
  assert.deepEqual(
    [answer.status, answer.text, answer.headers['content-length']],
    [200, '', String(page.length)],
  );
});

test('no path leads out of the built files', async () => {
  for (const path of [
    '/ui/../package.json',
    '/ui/%2e%2e/package.json',
    '/ui/..%2f..%2fpackage.json',
    '/ui//etc/passwd',
    '/ui/assets/../secret.json',
  ])
    assert.doesNotMatch((await get(path)).text, /dependencies|root:/);
});

test('the root leads browsers to the app, and other clients nowhere', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const answer = await get('/', { accept });
  assert.deepEqual([answer.status, answer.headers['location']], [302, '/ui/']);
  for (const other of ['*/*', 'application/json', ''])
    assert.equal((await get('/', { accept: other })).status, 404);
});

test('REC-05 the whois_url of a record leads to the page of the domain', async () => {
  const answer = await get('/whois/xn--exmple-cua.example');
  assert.deepEqual(
    [answer.status, answer.headers['location']],
    [302, '/ui/domain/xn--exmple-cua.example?tab=record'],
  );
  assert.equal((await get('/whois/a%2Fb%3Fc')).headers['location'], '/ui/domain/a%2Fb%3Fc?tab=record');
});

test('without a built app the server says which command makes it, and the APIs work', async (t) => {
  const bare = await testServer(t);
  const answer = await bare.call('GET /ui/', { headers: { host } });
  assert.equal(answer.status, 503);
  assert.match(answer.text, /npm run build/);
  assert.equal((await bare.call('GET /ui/api/me', { headers: { host } })).status, 401);
});

test('the web UI can be switched off, and a worker has none', async (t) => {
  for (const settings of [{ 'web.enabled': 'false' }, { role: 'worker' }]) {
    const off = await testServer(t, { appDirectory, settings });
    for (const path of ['/ui/', '/ui/api/me', '/whois/a.example', '/'])
      assert.equal(
        (await off.call(`GET ${path}`, { headers: { host, accept: 'text/html' } })).status,
        404,
        path,
      );
  }
});

test('operations of the web UI are not in the OpenAPI description: they are no interface for others', async () => {
  const { paths } = JSON.parse((await get('/openapi.json')).text) as { paths: object };
  assert.deepEqual(
    Object.keys(paths).filter((path) => /^\/(?:ui|auth)\b/.test(path)),
    [],
  );
});
