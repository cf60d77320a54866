import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { unzipSync, type Zippable, zipSync } from 'fflate';
import type { Manifest } from '../../../src/model/evidence/manifest.ts';
import { verifyPack } from '../../../src/model/evidence/verify-pack.ts';
import { makePack } from '../../../src/product/evidence/make-pack.ts';
import { keyFingerprint, publicKeyPem, signingKey } from '../../../src/product/evidence/signing-key.ts';
import { commandPath } from '../../harness/debian-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { facts, key, keyDer } from './pack-facts-sample.ts';

const pack = await makePack(facts, keyDer);
const files: Readonly<Record<string, Uint8Array>> = unzipSync(pack);
const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString()) as Manifest;

const repacked = (changes: Zippable, without: readonly string[] = []) =>
  zipSync(
    Object.fromEntries(Object.entries({ ...files, ...changes }).filter(([path]) => !without.includes(path))),
  );

const faultsOf = async (zip: Uint8Array) =>
  (await verifyPack(zip)).faults.map(({ path, fault }) => `${path} ${fault}`);

test('a pack as it was made is intact, and names the key that signed it', async () => {
  const { isIntact, faults, fingerprint, isKeyGiven } = await verifyPack(pack);
  assert.deepEqual([isIntact, faults, isKeyGiven], [true, [], false]);
  assert.equal(fingerprint, keyFingerprint(createPublicKey(key)));
});

test('one changed byte is found in every file of a pack', async () => {
  for (const [path, bytes] of Object.entries(files)) {
    const changed = Uint8Array.from(bytes);
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1;
    const { isIntact, faults } = await verifyPack(repacked({ [path]: changed }));
    assert.equal(isIntact, false, path);
    assert.ok(
      faults.some((fault) => fault.path === path || path.startsWith('manifest.json')),
      path,
    );
  }
});

test('a file that is missing, and one that was added, are named', async () => {
  const raw = manifest.items.map(({ path }) => path).find((path) => path.startsWith('raw/'));
  assert.deepEqual(await faultsOf(repacked({}, [raw as string])), [`${raw} missing`]);
  assert.deepEqual(await faultsOf(repacked({ 'raw/more.txt': new Uint8Array(1) })), ['raw/more.txt extra']);
});

test('a pack that somebody else signed is refused with the key of the sender', async () => {
  assert.equal((await verifyPack(pack, publicKeyPem(key))).isIntact, true);
  const { isIntact, isKeyGiven, faults } = await verifyPack(
    pack,
    publicKeyPem(signingKey(Buffer.alloc(32, 2))),
  );
  assert.deepEqual([isIntact, isKeyGiven], [false, true]);
  assert.deepEqual(
    faults.map(({ fault }) => fault),
    ['invalid-signature', 'other-key'],
  );
});

test('a key of another kind is refused', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  assert.deepEqual((await verifyPack(pack, pem)).faults, [{ path: 'public-key.pem', fault: 'unreadable' }]);
});

test('what is no archive, or is cut off, is unreadable', async () => {
  for (const bytes of [new Uint8Array(0), Buffer.from('PK'), pack.subarray(0, pack.length >> 1)])
    assert.deepEqual(await faultsOf(bytes), ['the archive unreadable']);
});

test('an archive that claims gigabytes is refused before it is unpacked', async () => {
  const bomb = Buffer.from(zipSync({ 'manifest.json': new Uint8Array(100) }));
  // The size in the central directory, 24 bytes after its signature.
  bomb.writeUInt32LE(0xfffffff0, bomb.indexOf('PK\x01\x02', 'latin1') + 24);
  assert.deepEqual(await faultsOf(bomb), ['the archive unreadable']);
});

test('an archive whose entries share their bytes is refused before it is unpacked', async () => {
  const bomb = Buffer.from(zipSync({ 'manifest.json': new Uint8Array(100_000) }));
  const central = bomb.indexOf('PK\x01\x02', 'latin1');
  // The packed size in the central directory says more than there is.
  bomb.writeUInt32LE(bomb.length + 1, central + 20);
  assert.deepEqual(await faultsOf(bomb), ['the archive unreadable']);
});

test('openssl verifies the signature, and sha256sum the files', (t) => {
  const directory = temporaryDirectory(t);
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
  }
  const openssl = commandPath('openssl');
  if (openssl === undefined) return t.skip('openssl is not installed');
  const check = () =>
    spawnSync(
      openssl,
      'pkeyutl -verify -pubin -inkey public-key.pem -rawin -in manifest.json -sigfile manifest.json.sig'.split(
        ' ',
      ),
      { cwd: directory, encoding: 'utf8' },
    );
  const { status, stdout } = check();
  assert.deepEqual([status, stdout.trim()], [0, 'Signature Verified Successfully']);
  writeFileSync(join(directory, 'manifest.json'), `${Buffer.from(files['manifest.json'] ?? []).toString()} `);
  assert.notEqual(check().status, 0);
  const sums = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: directory });
  assert.equal(sums.status, 0);
});

test('the manifest says of every raw file which server was asked for what, and when', () => {
  const head = manifest.items.find(({ kind }) => kind === 'http-head');
  const { path: _path, sha256: _sha256, bytes: _bytes, ...probe } = head ?? {};
  assert.deepEqual(probe, {
    media_type: 'text/plain',
    domain: 'xn--pple-43d.example',
    kind: 'http-head',
    collector: 'web',
    asked: 'http://xn--pple-43d.example/',
    address: '192.0.2.1',
    request: 'GET http://xn--pple-43d.example/',
    first_seen: '2025-10-09T08:53:20Z',
    last_seen: '2025-10-09T08:59:20Z',
    truncated: false,
  });
});

test('redirects are read from the kept heads of responses', () => {
  const { domains } = JSON.parse(Buffer.from(files['evidence.json'] ?? []).toString());
  assert.deepEqual(domains[0].redirects, [
    {
      at: '2025-10-09T08:59:20Z',
      url: 'http://xn--pple-43d.example/',
      status: 302,
      location: 'https://evil.example/',
    },
  ]);
});
