import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { fileLinks } from '../../../src/http/files/file-links.ts';
import { SignedLinks } from '../../../src/http/links/signed-links.ts';
import { traversals } from '../../conformance/archive-store.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { callOverSocket } from '../../harness/server/call-over-socket.ts';
import { clientAddress } from '../../harness/server/client-address.ts';
import type { TestServer } from '../../harness/server/test-server.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import {
  archivedServer,
  filesOf,
  type ListedFile,
  pathOf,
  record,
  sharedArchivedServers,
} from './archive-fixture.ts';

const sharedServer = sharedArchivedServers();

const run = promisify(execFile);

interface Linked {
  readonly server: TestServer;
  readonly file: ListedFile;
  readonly checksum: ListedFile;
  /** The path and query of the link. */
  readonly path: string;
}

const publicUrl = { 'http.publicUrl': 'http://files.test' };

/** With a configured public URL: links include the port, which changes once the server listens. */
async function linked(own?: TestServer): Promise<Linked> {
  const server = own ?? (await sharedServer({ settings: publicUrl }));
  const { key } = await server.user();
  const [file, checksum] = (await filesOf(server, key)) as [ListedFile, ListedFile];
  return { server, file, checksum, path: pathOf(file) };
}

const statusOf = async (server: TestServer, path: string) => (await server.call(`GET ${path}`)).status;

test('DL-08 a link opens its file without credentials, under its name', async () => {
  const { server, file, path } = await linked();
  const { status, headers, bytes } = await server.call(`GET ${path}`);
  assert.equal(status, 200);
  assert.equal(gunzipSync(bytes).toString(), record('late.example', '2026-02-20T00:20:00Z'));
  assert.deepEqual(
    [
      'content-type',
      'content-disposition',
      'accept-ranges',
      'etag',
      'content-length',
      'content-encoding',
    ].map((name) => headers[name]),
    [
      'application/gzip',
      'attachment; filename="nod-20260220.0000-0100.json.gz"',
      'bytes',
      file.etag,
      file.size,
      undefined,
    ],
  );
});

test('DL-08 HEAD on a link returns the headers of GET, without the file', async () => {
  const { server, file, path } = await linked();
  const { status, headers, bytes } = await server.call(`HEAD ${path}`);
  assert.deepEqual(
    [status, headers['content-length'], headers['etag'], bytes.length],
    [200, file.size, file.etag, 0],
  );
});

test('DL-08 a link works until its last second and is then refused with 403', async () => {
  const { server, path } = await linked();
  const expires = Number(/Expires=(\d+)/.exec(path)?.[1]);
  assert.equal(expires, Math.floor(server.clock.now() / 1000) + 24 * 3600);
  server.clock.set(new Date(expires * 1000 - 1).toISOString());
  assert.equal(await statusOf(server, path), 200);
  server.clock.advanceSeconds(0.001);
  const { status, text } = await server.call(`GET ${path}`);
  assert.deepEqual([status, /<Code>AccessDenied<\/Code>/.test(text)], [403, true]);
});

test('DL-08 a link with any one character changed is refused', async () => {
  const { server, path } = await linked();
  const change = fc.record({
    at: fc.integer({ min: '/files/'.length, max: path.length - 1 }),
    by: fc.constantFrom(...'/?&=+-_.0189AZaz;:@!$~'.split('')),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ at, by }) => {
      fc.pre(path[at] !== by);
      const altered = path.slice(0, at) + by + path.slice(at + 1);
      assert.equal(await statusOf(server, altered), 403, altered);
    }),
    { numRuns: propertyRuns(120) },
  );
});

/** The base64url alphabet. The last digit of 32 bytes encodes four bits, so three other digits decode to the same. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const alterations: Readonly<Record<string, (path: string, other: string) => string>> = {
  'the link of another file': (path, other) => path.replace(/\?.*/, '') + other.replace(/.*\?/, '?'),
  'the file of another archive': (path) => path.replaceAll('nod', 'noh'),
  'the checksum instead of the file': (path) => path.replace('?', '.sha256?'),
  'a later expiry': (path) => path.replace(/Expires=\d/, 'Expires=9'),
  'an expiry beyond all numbers': (path) => path.replace(/Expires=\d+/, `Expires=${'9'.repeat(400)}`),
  'an expiry with a leading zero': (path) => path.replace('Expires=', 'Expires=0'),
  'no expiry': (path) => path.replace(/Expires=\d+&/, ''),
  'no signature': (path) => path.replace(/&Signature=.*/, ''),
  'an empty signature': (path) => path.replace(/Signature=.*/, 'Signature='),
  'no query': (path) => path.replace(/\?.*/, ''),
  'a second expiry': (path) => `${path}&Expires=9999999999`,
  'a second signature': (path) => `${path}&Signature=x`,
  'a parameter more': (path) => `${path}&x=1`,
  'parameters in another order': (path) => path.replace(/\?(Expires=\d+)&(.*)/, '?$2&$1'),
  'a parameter in other letters': (path) => path.replace('Expires', 'expires'),
  'a signature with padding': (path) => `${path}=`,
  'a name that is encoded': (path) => path.replace('nod-', '%6eod-'),
  'a slash that is encoded': (path) => path.replace('/nod-', '%2fnod-'),
  'dots that are encoded': (path) => path.replace('.json', '%2ejson'),
  'a doubled slash': (path) => path.replace('/nod-', '//nod-'),
  'a slash at the end': (path) => path.replace('?', '/?'),
  'a way around': (path) => path.replace('/nod/', '/nod/../nod/'),
  'another spelling of the last six bits': (path) =>
    path.slice(0, -1) + digits[digits.indexOf(path.slice(-1)) + 1],
};

test('DL-08 an altered link is refused with 403', async (t) => {
  const { server, path, checksum } = await linked();
  for (const [what, alter] of Object.entries(alterations)) {
    await t.test(`DL-08 a link with ${what} is refused with 403`, async () => {
      assert.equal((await callOverSocket(server, path)).status, 200);
      const { status, text } = await callOverSocket(server, alter(path, pathOf(checksum)));
      assert.deepEqual([status, /<Code>SignatureDoesNotMatch<\/Code>/.test(text)], [403, true]);
    });
  }
});

test('without a valid signature, existing and missing files are answered alike', async () => {
  const { server, path } = await linked();
  const there = path.replace(/Signature=.*/, `Signature=${'A'.repeat(43)}`);
  for (const url of [there, there.replace('0000-0100', '0500-0600'), '/files', '/files/', '/files/x']) {
    assert.equal(await statusOf(server, url), 403, url);
  }
});

function linksWith(key: Buffer) {
  return new SignedLinks(fileLinks, { baseUrl: () => 'http://files.test', mountPrefix: '', linkKey: key });
}

test('a malformed name opens nothing even with a valid signature', async () => {
  const { server } = await linked();
  const links = linksWith(server.linkKey);
  const good = links.make('nod/2026-02-20/nod-20260220.0000-0100.json.gz', {
    nowMs: server.clock.now(),
    lifetimeSeconds: 60,
  });
  assert.equal(await statusOf(server, pathOf({ url: good })), 200);
  for (const name of traversals.filter((one) => !/[\0\n]/.test(one) && !one.endsWith('.sha256'))) {
    const path = pathOf({ url: links.make(name, { nowMs: server.clock.now(), lifetimeSeconds: 60 }) });
    const { status, text } = await callOverSocket(server, path);
    assert.ok([400, 403, 404].includes(status ?? 0), `${name}: ${status}`);
    assert.doesNotMatch(text, /root:|[0-9a-f]{64}/);
  }
});

const ranges = [
  ['bytes=0-0', 206, 0, 1],
  ['bytes=5-', 206, 5, undefined],
  ['bytes=-4', 206, -4, undefined],
  ['bytes=2-5', 206, 2, 6],
  ['bytes=0-1,3-4', 200, 0, undefined],
  ['bytes=5-2', 200, 0, undefined],
  ['lines=1-2', 200, 0, undefined],
] as const;

test('DL-08 a byte range of a file is sent when requested', async (t) => {
  const { server, path } = await linked();
  const whole = (await server.call(`GET ${path}`)).bytes;
  for (const [range, status, from, to] of ranges) {
    await t.test(`DL-08 Range: ${range} answers ${status}`, async () => {
      const answer = await server.call(`GET ${path}`, { headers: { range } });
      assert.deepEqual([answer.status, answer.bytes], [status, whole.subarray(from, to)]);
      assert.equal(answer.headers['content-range'] === undefined, status === 200);
    });
  }
});

test('DL-08 a range past the end returns 416 with the size', async () => {
  const { server, file, path } = await linked();
  const { status, headers } = await server.call(`GET ${path}`, { headers: { range: `bytes=${file.size}-` } });
  assert.deepEqual([status, headers['content-range']], [416, `bytes */${file.size}`]);
});

test('DL-08 a download resumed with the ETag of another file starts from the beginning', async () => {
  const { server, file, checksum, path } = await linked();
  const statusWith = async (tag: string) =>
    (await server.call(`GET ${path}`, { headers: { range: 'bytes=2-', 'if-range': tag } })).status;
  assert.deepEqual([await statusWith(file.etag), await statusWith(checksum.etag)], [206, 200]);
});

test('a file is not compressed a second time for a client that accepts gzip', async () => {
  const { server, file, path } = await linked();
  const { headers } = await server.call(`GET ${path}`, { headers: { 'accept-encoding': 'gzip' } });
  assert.deepEqual([headers['content-encoding'], headers['content-length']], [undefined, file.size]);
});

test('links use the configured host and mount prefix, never the Host header, and work under the prefix', async () => {
  const settings = { 'feeds.downloadUrl': 'https://files.example', 'http.mountPrefix': '/dt' };
  const server = await sharedServer({ settings });
  const { key } = await server.user();
  const answer = await server.call('GET /dt/v1/download/nod/', { key, headers: { host: 'evil.example' } });
  const [file] = answer.json.response.files as [ListedFile];
  assert.ok(file.url.startsWith('https://files.example/dt/files/nod/2026-02-20/'), file.url);
  assert.equal(await statusOf(server, pathOf(file)), 200);
  assert.equal(await statusOf(server, pathOf(file).replace('/dt', '')), 403);
});

test('a link signed with the secret of another installation is refused', async () => {
  const { server, file } = await linked();
  const foreign = linksWith(Buffer.alloc(32, 7));
  assert.equal(
    await statusOf(
      server,
      pathOf({ url: foreign.make(file.name, { nowMs: server.clock.now(), lifetimeSeconds: 60 }) }),
    ),
    403,
  );
});

test('a signature is not logged', async (t) => {
  const { server, path } = await linked(await archivedServer(t, { settings: publicUrl }));
  await server.call(`GET ${path}`);
  assert.ok(!server.log().includes(/Signature=(.*)/.exec(path)?.[1] as string));
});

test('DL-07 DL-08 curl downloads a listed file, resumes it, and sha256sum -c verifies it', async (t) => {
  const server = await archivedServer(t, { settings: publicUrl });
  const { key } = await server.user();
  const { host, port } = await clientAddress(server.app);
  const [file, checksum] = (await filesOf(server, key)) as [ListedFile, ListedFile];
  const cwd = temporaryDirectory(t);
  const curl = (...words: readonly string[]) =>
    run('curl', ['-sS', '--fail', '--connect-to', `files.test:80:${host}:${port}`, ...words], { cwd });
  await curl('--remote-name', '--remote-header-name', file.url);
  await curl('--remote-name', '--remote-header-name', checksum.url);
  const { stdout } = await run('sha256sum', ['-c', basename(checksum.name)], { cwd });
  assert.equal(stdout, `${basename(file.name)}: OK\n`);
  await curl('--output', 'resumed', '--range', '0-9', file.url);
  await curl('--output', 'resumed', '--continue-at', '-', file.url);
  assert.deepEqual(readFileSync(join(cwd, 'resumed')), readFileSync(join(cwd, basename(file.name))));
});
