/** The two logs of certificates: heads, proofs, tiles and entries, computed again here from what the standards say. */
import assert from 'node:assert/strict';
import { createPublicKey, hash, verify, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeKeyPair } from '../../../world/servers/certificates/authority.ts';
import { CertificateLog } from '../../../world/servers/certificates/certificate-log.ts';
import { MerkleTree } from '../../../world/servers/certificates/merkle-tree.ts';
import { domainOf, nowMs, type Served, serveSmallWorld } from './small-world.ts';

interface LogSetting {
  readonly url: string;
  readonly kind: 'static' | 'rfc6962';
  readonly publicKey: string;
}

const sha256 = (...pieces: readonly Uint8Array[]) => hash('sha256', Buffer.concat(pieces), 'buffer');

/** The definition, word for word (RFC 6962, 2.1). */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.from([0]), leaves[0] as Buffer);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.from([1]), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

/** What a client makes of an audit path (RFC 9162, 2.1.3.2). */
function rootByPath(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer {
  let [at, last, found] = [index, size - 1, sha256(Buffer.from([0]), leaf)];
  for (const sibling of path) {
    if (at % 2 === 1 || at === last) {
      found = sha256(Buffer.from([1]), sibling, found);
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1];
    } else found = sha256(Buffer.from([1]), found, sibling);
    [at, last] = [at >> 1, last >> 1];
  }
  return found;
}

/** Whether a consistency proof holds (RFC 9162, 2.1.4.2). */
function isConsistent(
  first: number,
  second: number,
  before: Buffer,
  after: Buffer,
  proof: readonly Buffer[],
): boolean {
  if (first === second) return before.equals(after) && proof.length === 0;
  const path = Math.log2(first) % 1 === 0 ? [before, ...proof] : [...proof];
  let [at, last] = [first - 1, second - 1];
  while (at % 2 === 1) [at, last] = [at >> 1, last >> 1];
  let [old, now] = [path[0] as Buffer, path[0] as Buffer];
  for (const step of path.slice(1)) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [old, now] = [sha256(Buffer.from([1]), step, old), sha256(Buffer.from([1]), step, now)];
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1];
    } else now = sha256(Buffer.from([1]), now, step);
    [at, last] = [at >> 1, last >> 1];
  }
  return last === 0 && old.equals(before) && now.equals(after);
}

function settingOf({ server }: Served, kind: LogSetting['kind']): LogSetting {
  const settings = JSON.parse(server.settings['sources.certificateLogs'] ?? '') as LogSetting[];
  return settings.find((setting) => setting.kind === kind) as LogSetting;
}

function isHeadSigned(
  publicKey: string,
  timestamp: bigint,
  size: number,
  root: Buffer,
  signature: Buffer,
): boolean {
  const head = Buffer.alloc(18);
  head.writeUInt8(1, 1);
  head.writeBigUInt64BE(timestamp, 2);
  head.writeBigUInt64BE(BigInt(size), 10);
  assert.deepEqual([...signature.subarray(0, 2)], [4, 3]);
  assert.equal(signature.readUInt16BE(2), signature.length - 4);
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return verify('sha256', Buffer.concat([head, root]), key, signature.subarray(4));
}

const json = async ({ get }: Served, url: string) => JSON.parse((await get(url)).body.toString('utf8'));
const fromBase64 = (text: string) => Buffer.from(text, 'base64');
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => domainOf(`site-${at}.gla`, { certifiedMs: nowMs - 1000 - at }));

/** Takes structures of TLS apart. */
class Reader {
  at = 0;
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  readBytes(length: number): Buffer {
    assert.ok(this.at + length <= this.bytes.length, 'the structure ends too early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  number(bytes: number): number {
    return this.readBytes(bytes).readUIntBE(0, bytes);
  }
  vector(lengthBytes: number): Buffer {
    return this.readBytes(this.number(lengthBytes));
  }
  get isOver(): boolean {
    return this.at === this.bytes.length;
  }
}

function takeEntry(reader: Reader) {
  const timestampMs = Number(reader.readBytes(8).readBigUInt64BE());
  const isPrecertificate = reader.number(2) === 1;
  const issuerKeyHash = isPrecertificate ? reader.readBytes(32) : undefined;
  return {
    timestampMs,
    isPrecertificate,
    issuerKeyHash,
    content: reader.vector(3),
    extensions: reader.vector(2),
  };
}

test('roots and proofs of a tree are those of the definition, for every size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 8 }), { minLength: 1, maxLength: 70 }),
      fc.nat(),
      fc.nat(),
      (data, a, b) => {
        const leaves = data.map((bytes) => Buffer.from(bytes));
        const tree = new MerkleTree();
        for (const leaf of leaves) tree.append(leaf);
        const size = 1 + (a % leaves.length);
        const index = b % size;
        const root = rootOf(leaves.slice(0, size));
        assert.deepEqual(tree.root(size), root);
        assert.deepEqual(
          rootByPath(leaves[index] as Buffer, index, size, tree.inclusionProof(index, size)),
          root,
        );
        const first = index + 1;
        assert.ok(
          isConsistent(first, size, rootOf(leaves.slice(0, first)), root, tree.consistencyProof(first, size)),
        );
      },
    ),
    { numRuns: 200 },
  );
  assert.deepEqual(new MerkleTree().root(), sha256());
});

test('the log of RFC 6962 gives its entries in pages, and its signed head covers them', async (t) => {
  const served = await serveSmallWorld(t, many(60));
  const { url, publicKey } = settingOf(served, 'rfc6962');
  const head = await json(served, `${url}ct/v1/get-sth`);
  const leaves: Buffer[] = [];
  while (leaves.length < head.tree_size) {
    const page = await json(
      served,
      `${url}ct/v1/get-entries?start=${leaves.length}&end=${head.tree_size - 1}`,
    );
    assert.ok(page.entries.length > 0 && page.entries.length <= 64);
    for (const { leaf_input: leaf } of page.entries) leaves.push(fromBase64(leaf));
  }
  const root = fromBase64(head.sha256_root_hash);
  assert.equal(leaves.length, 2 * (60 + 7));
  assert.deepEqual(rootOf(leaves), root);
  assert.ok(
    isHeadSigned(
      publicKey,
      BigInt(head.timestamp),
      head.tree_size,
      root,
      fromBase64(head.tree_head_signature),
    ),
  );
  const index = 77;
  const leafHash = sha256(Buffer.from([0]), leaves[index] as Buffer);
  const query = new URLSearchParams({ hash: leafHash.toString('base64'), tree_size: String(head.tree_size) });
  const proof = await json(served, `${url}ct/v1/get-proof-by-hash?${query.toString()}`);
  assert.equal(proof.leaf_index, index);
  assert.deepEqual(
    rootByPath(leaves[index] as Buffer, index, head.tree_size, proof.audit_path.map(fromBase64)),
    root,
  );
  const { consistency } = await json(
    served,
    `${url}ct/v1/get-sth-consistency?first=33&second=${head.tree_size}`,
  );
  assert.ok(isConsistent(33, head.tree_size, rootOf(leaves.slice(0, 33)), root, consistency.map(fromBase64)));
});

test('a precertificate and its certificate are in the log, and belong together', async (t) => {
  const served = await serveSmallWorld(t);
  const { url, publicKey } = settingOf(served, 'rfc6962');
  const { entries } = await json(served, `${url}ct/v1/get-entries?start=0&end=1`);
  const [before, after] = entries.map(({ leaf_input: leaf }: { leaf_input: string }) => {
    const reader = new Reader(fromBase64(leaf));
    assert.deepEqual([...reader.readBytes(2)], [0, 0]);
    const entry = takeEntry(reader);
    assert.ok(reader.isOver);
    return entry;
  });
  assert.deepEqual([before.isPrecertificate, after.isPrecertificate], [true, false]);
  const extra = new Reader(fromBase64(entries[0].extra_data));
  const precertificate = new X509Certificate(extra.vector(3));
  const chain = new Reader(extra.vector(3));
  const intermediate = new X509Certificate(chain.vector(3));
  const root = new X509Certificate(chain.vector(3));
  assert.ok(chain.isOver && extra.isOver);
  const certificate = new X509Certificate(after.content);
  assert.equal(certificate.serialNumber, precertificate.serialNumber);
  assert.ok(certificate.verify(intermediate.publicKey) && precertificate.verify(intermediate.publicKey));
  assert.ok(intermediate.verify(root.publicKey));
  const poison = Buffer.from('060a2b06010401d6790204030101ff04020500', 'hex');
  assert.ok(precertificate.raw.includes(poison) && !before.content.includes(poison));
  assert.deepEqual(
    before.issuerKeyHash,
    sha256(intermediate.publicKey.export({ type: 'spki', format: 'der' })),
  );
  const { certificates } = await json(served, `${url}ct/v1/get-roots`);
  assert.deepEqual(certificates, [root.raw.toString('base64')]);

  // The promise of this log that the certificate carries is signed over the leaf of the precertificate.
  const id = sha256(fromBase64(publicKey));
  const at = certificate.raw.indexOf(id);
  assert.ok(at > 0);
  const promise = new Reader(certificate.raw.subarray(at + 32));
  assert.equal(Number(promise.readBytes(8).readBigUInt64BE()), before.timestampMs);
  assert.equal(promise.vector(2).length, 0);
  assert.deepEqual([...promise.readBytes(2)], [4, 3]);
  const key = createPublicKey({ key: fromBase64(publicKey), format: 'der', type: 'spki' });
  assert.ok(verify('sha256', fromBase64(entries[0].leaf_input), key, promise.vector(2)));
});

test('the log of tiles: the checkpoint is signed, and hash tiles and data tiles agree with it', async (t) => {
  const served = await serveSmallWorld(t, many(140));
  const { url, publicKey } = settingOf(served, 'static');
  const note = (await served.get(`${url}checkpoint`)).body.toString('utf8');
  const [, origin = '', sizeText = '', rootText = '', signedBy, signature = ''] =
    /^(.+)\n(\d+)\n(.+)\n\n\u2014 (\S+) (\S+)\n$/.exec(note) ?? [];
  assert.equal(`https://${origin}/`, url);
  assert.equal(signedBy, origin);
  const size = Number(sizeText);
  const root = fromBase64(rootText);
  const signed = fromBase64(signature);
  const keyId = sha256(Buffer.from(`${origin}\n\u0005`), sha256(fromBase64(publicKey)));
  assert.deepEqual(signed.subarray(0, 4), keyId.subarray(0, 4));
  assert.ok(isHeadSigned(publicKey, signed.readBigUInt64BE(4), size, root, signed.subarray(12)));

  assert.equal(size, 2 * (140 + 7));
  const tile = async (path: string) => (await served.get(`${url}tile/${path}`)).body;
  const data = [await tile('data/000'), await tile(`data/001.p/${size - 256}`)];
  const reader = new Reader(Buffer.concat(data));
  const leaves: Buffer[] = [];
  while (!reader.isOver) {
    const from = reader.at;
    const entry = takeEntry(reader);
    leaves.push(Buffer.concat([Buffer.from([0, 0]), reader.bytes.subarray(from, reader.at)]));
    // The extension says where the entry is: type 0, five bytes.
    assert.deepEqual([...entry.extensions.subarray(0, 3)], [0, 0, 5]);
    assert.equal(entry.extensions.readUIntBE(3, 5), leaves.length - 1);
    if (entry.isPrecertificate) assert.equal(new X509Certificate(reader.vector(3)).ca, false);
    const fingerprints = reader.vector(2);
    assert.equal(fingerprints.length, 64);
    if (leaves.length === 1) {
      for (const at of [0, 32]) {
        const fingerprint = fingerprints.subarray(at, at + 32);
        const issuer = await served.get(`${url}issuer/${fingerprint.toString('hex')}`);
        assert.equal(issuer.headers['content-type'], 'application/pkix-cert');
        assert.deepEqual(sha256(issuer.body), fingerprint);
      }
    }
  }
  assert.equal(leaves.length, size);
  assert.deepEqual(rootOf(leaves), root);
  const hashes = Buffer.concat([await tile('0/000'), await tile(`0/001.p/${size - 256}`)]);
  assert.deepEqual(hashes, Buffer.concat(leaves.map((leaf) => sha256(Buffer.from([0]), leaf))));
  assert.deepEqual(await tile('1/000.p/1'), rootOf(leaves.slice(0, 256)));
});

test('what is not in the tree, or is no path of the standard, is not there', async (t) => {
  const served = await serveSmallWorld(t);
  const { url } = settingOf(served, 'static');
  for (const path of [
    'tile/0/000',
    'tile/0/000.p/256',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/6/000.p/1',
    'tile/0/x000/000.p/1',
    'tile/data/000.p/15',
    'tile/0/0.p/1',
    'issuer/00',
    'tile/1/000.p/1',
  ])
    assert.equal((await served.get(`${url}${path}`)).status, 404, path);
  assert.equal((await served.get(`${url}tile/0/000.p/14`)).body.length, 14 * 32);
  const other = settingOf(served, 'rfc6962').url;
  for (const query of ['start=14&end=20', 'start=3&end=2', 'start=-1&end=2', 'start=&end='])
    assert.equal((await served.get(`${other}ct/v1/get-entries?${query}`)).status, 400, query);
});

test('a domain that is certified is in both logs at once, and only once', async (t) => {
  const served = await serveSmallWorld(t);
  const { url } = settingOf(served, 'rfc6962');
  const before = (await json(served, `${url}ct/v1/get-sth`)).tree_size;
  served.world.put(domainOf('late.gla', { certifiedMs: nowMs }), 'certified');
  // A connection before the certificate was issued does not issue a second one.
  await served.get('https://late.gla/').catch(() => undefined);
  const head = await json(served, `${url}ct/v1/get-sth`);
  assert.equal(head.tree_size, before + 2);
  const note = (await served.get(`${settingOf(served, 'static').url}checkpoint`)).body.toString('utf8');
  assert.equal(note.split('\n')[1], String(before + 2));
});

test('at the start only the newest 160 are logged', async (t) => {
  const served = await serveSmallWorld(t, many(180));
  const { url } = settingOf(served, 'rfc6962');
  assert.equal((await json(served, `${url}ct/v1/get-sth`)).tree_size, 320);
  assert.equal((await served.get('http://brand.zon/')).status, 200);
  await served.dialer.send({
    method: 'GET',
    url: 'https://brand.zon/',
    timeoutMs: 5000,
    responseBytesMax: 1,
    certificate: 'any',
  });
  assert.equal((await json(served, `${url}ct/v1/get-sth`)).tree_size, 320);
});

test('an entry that is kept keeps no memory but that of its bytes', () => {
  const log = new CertificateLog('rfc6962', 'log', 'log.example', makeKeyPair());
  const submission = {
    kind: 'certificate',
    der: Buffer.from('a certificate'),
    issuerKeyHash: Buffer.alloc(32),
    chain: [],
  } as const;
  log.add(submission, nowMs);
  const [kept] = log.entries;
  assert.ok(kept && kept.entry.length > 0);
  assert.equal(kept.entry.buffer.byteLength, kept.entry.length);
});
