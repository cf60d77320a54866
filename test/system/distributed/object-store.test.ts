import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Problem } from '../../../src/model/problem.ts';
import { DamagedData } from '../../../src/store/damage.ts';
import { ObjectReader } from '../../../src/store/distributed/s3/object-reader.ts';
import { checkS3 } from '../../../src/store/distributed/s3/s3-checks.ts';
import { S3Client } from '../../../src/store/distributed/s3/s3-client.ts';
import { StoredObjects } from '../../../src/store/distributed/s3/stored-objects.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { type RadosGateway, startRadosGateway } from '../../harness/engines/rados-gateway.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);
const isTryAgain = (error: unknown) => error instanceof Problem && error.code === 'try-again';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

if (postgres && gateway) {
  const open = (t: TestContext) => {
    const database = newNodes(postgres, [], t)();
    const options = gateway.newOptions();
    const s3 = new S3Client(options);
    const [objects, reader] = [new StoredObjects(database, s3), new ObjectReader(s3, 4 << 20)];
    const age = () =>
      database.read((sql) => sql`update unused_object set since = since - interval '25 hours'`);
    return { database, options, s3, objects, reader, age, keys: () => gateway.listKeys(options) };
  };

  for (const size of [0, 1, 65_537, 8 << 20, 20_000_001]) {
    test(`an object of ${size} bytes is read back as it was uploaded, whole and in part`, async (t) => {
      const { objects, reader, keys } = open(t);
      const bytes = randomBytes(size);
      const object = await objects.upload('some', chunksOf(bytes, 300_001));
      assert.deepEqual([object.bytes, await keys()], [size, [object.key]]);
      await reader.assertStored(object);
      assert.ok(bytes.equals(await collect(reader.read(object, 0, size))));
      const [from, to] = [Math.floor(size / 3), Math.floor(size / 2)];
      assert.ok(bytes.subarray(from, to).equals(await collect(reader.read(object, from, to))));
    });
  }

  test('an object that no row names is deleted after a day, and one that is named stays', async (t) => {
    const { database, objects, age, keys } = open(t);
    const upload = (size: number) => objects.upload('some', chunksOf(randomBytes(size), 1 << 20));
    const [kept, lost, large] = [await upload(10), await upload(10), await upload(9 << 20)];
    await database.write((sql) => objects.name(sql, [kept.key]));
    assert.equal(await objects.sweep(), 0);
    await age();
    assert.equal(await objects.sweep(), 2);
    assert.deepEqual(await keys(), [kept.key]);
    await assert.rejects(
      database.write((sql) => objects.name(sql, [lost.key])),
      isTryAgain,
    );
    await database.write((sql) => objects.drop(sql, [kept.key]));
    assert.deepEqual([await objects.sweep(), await keys()], [0, [kept.key]]);
    await age();
    assert.deepEqual([await objects.sweep(), await keys(), large.bytes], [1, [], 9 << 20]);
  });

  test('an upload that ends in the middle leaves nothing after the sweep, neither object nor parts', async (t) => {
    const { objects, age, keys, s3, database } = open(t);
    const failing = async function* () {
      yield* chunksOf(randomBytes(17 << 20), 1 << 20);
      throw new Error('the source is gone');
    };
    await assert.rejects(objects.upload('some', failing()), /the source is gone/);
    const [begun] = await database.read(
      (sql) => sql<{ key: string; upload_id: string }[]>`select key, upload_id from unused_object`,
    );
    await age();
    assert.equal(await objects.sweep(), 1);
    assert.deepEqual(await keys(), []);
    const payload = { bytes: Buffer.from('late'), sha256: '' };
    await assert.rejects(s3.putPart(begun?.key ?? '', begun?.upload_id ?? '', 3, payload), /answered 4/);
  });

  test('an object that was changed, cut or lost is damaged data, and what precedes the damage is read', async (t) => {
    const { objects, reader, options } = open(t);
    const bytes = randomBytes(200_000);
    const upload = () => objects.upload('some', chunksOf(bytes, 300_001));
    const changed = Buffer.from(bytes);
    changed[140_000] = (changed[140_000] as number) ^ 1;
    for (const [overwritten, intact] of [
      [changed, 131_072],
      [bytes.subarray(0, 100_000), 65_536],
      [undefined, 0],
    ] as const) {
      const object = await upload();
      await gateway.overwrite(options, object.key, overwritten);
      const read: Uint8Array[] = [];
      const reading = async () => {
        for await (const chunk of reader.read(object, 0, bytes.length)) read.push(chunk);
      };
      await assert.rejects(reading(), DamagedData);
      assert.ok(bytes.subarray(0, intact).equals(Buffer.concat(read)));
    }
  });

  test('an endpoint that is missing is a problem that names the setting', () => {
    assert.throws(
      () => new S3Client({ ...gateway.newOptions(), endpoint: '' }),
      /store\.s3\.endpoint is empty/,
    );
  });

  test('a key that is wrong is refused, with the settings to check', async () => {
    const s3 = new S3Client({ ...gateway.newOptions(), secretKey: 'wrong' });
    await assert.rejects(
      s3.findBytes('some', 0, 10),
      /403 SignatureDoesNotMatch.*check the settings store\.s3/,
    );
  });

  test('a bucket that does not exist is an error, not lost objects', async () => {
    const s3 = new S3Client({ ...gateway.newOptions(), bucket: 'missing' });
    await assert.rejects(s3.findBytes('some', 0, 10), /404 NoSuchBucket.*check the settings store\.s3/);
  });

  test('bytes that changed on the way are refused by the object store', async () => {
    const s3 = new S3Client(gateway.newOptions());
    const payload = { bytes: Buffer.from('changed'), sha256: 'a'.repeat(64) };
    await assert.rejects(s3.putObject('some', payload), /answered 400/);
    assert.equal(await s3.findSize('some'), undefined);
  });

  test('an object is never replaced', async () => {
    const s3 = new S3Client(gateway.newOptions());
    for (const text of ['first', 'second']) {
      const bytes = Buffer.from(text);
      await s3.putObject('some', { bytes, sha256: hash('sha256', bytes) });
    }
    assert.equal((await s3.findBytes('some', 0, 100))?.toString(), 'first');
  });

  test('the checks of doctor pass on an object store that does what we need, and leave no object', async () => {
    const options = gateway.newOptions();
    const states = (await checkS3(options)).map(({ state }) => state);
    assert.deepEqual([states, await gateway.listKeys(options)], [['ok', 'ok', 'ok', 'ok'], []]);
    const [refused] = await checkS3({ ...options, secretKey: 'wrong' });
    assert.equal(refused?.state, 'fail');
    assert.match(refused?.advice ?? '', /403 SignatureDoesNotMatch/);
  });

  test('the checks of doctor find an object store that replaces objects and ignores ranges', async (t) => {
    const checks = await checkS3({ ...gateway.newOptions(), endpoint: await startCarelessStore(t) });
    assert.deepEqual(
      checks.filter(({ state }) => state === 'fail').map(({ check }) => check),
      [
        'the object store never replaces an object (If-None-Match: *)',
        'the object store reads parts of objects (Range)',
      ],
    );
  });

  test('an object store that is away for a moment is waited for, and one that stays away is a problem to try again', async (t) => {
    await awayAndBack(t, gateway);
  });
} else {
  test('objects in S3', { skip: 'skipped: no PostgreSQL or no RADOS Gateway' }, () => undefined);
}

async function awayAndBack(t: TestContext, server: RadosGateway): Promise<void> {
  const s3 = new S3Client(server.newOptions());
  await server.kill();
  const asked = s3.findSize('some');
  await assert.rejects(asked, isTryAgain);
  const beganMs = performance.now();
  await assert.rejects(s3.findSize('some'), isTryAgain);
  t.diagnostic(`the second question was answered after ${Math.round(performance.now() - beganMs)} ms`);
  const waiting = new S3Client(server.newOptions()).findSize('some');
  await server.start();
  assert.equal(await waiting, undefined);
}

/** Stores the last object that it is sent; a range is answered as if it were what was asked for. */
async function startCarelessStore(t: TestContext): Promise<string> {
  let stored: Buffer = Buffer.alloc(0);
  const server = createServer(async (request, response) => {
    const body = await collect(request as AsyncIterable<Uint8Array>);
    if (request.method === 'PUT') stored = body;
    response.writeHead(request.headers.range ? 206 : 200).end(request.method === 'GET' ? stored : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
