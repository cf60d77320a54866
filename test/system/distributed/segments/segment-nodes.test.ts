/** Passive DNS in segments on several nodes: what only several nodes, an object store and a cache can show. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { dayMs } from '../../../../src/model/durations.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { PostgresDatabase } from '../../../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../../../src/store/distributed/s3/open-objects.ts';
import { acquireLease } from '../../../../src/store/distributed/segment-rrsets/compaction-lease.ts';
import { SegmentList } from '../../../../src/store/distributed/segment-rrsets/segment-list.ts';
import type { RrsetStore, Scan } from '../../../../src/store/rrset-store.ts';
import { all, record } from '../../../conformance/rrset-store.ts';
import * as any from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { startPostgresProxy } from '../../../harness/engines/postgres-proxy.ts';
import { startRadosGateway } from '../../../harness/engines/rados-gateway.ts';
import { startS3Proxy } from '../../../harness/engines/s3-proxy.ts';
import { newSegmentNodes } from '../../../harness/engines/segment-nodes.ts';
import { rowsFor, shown } from '../../../harness/reference/rrset-reference.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { fileScope } from '../../../harness/test-scope.ts';
import { crashObservations } from '../../../harness/workers/crash-observations.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);
const worker = new URL('../../../harness/workers/distributed/segment-import-worker.ts', import.meta.url)
  .pathname;
const observations = fc.sample(any.observation, { numRuns: 300, seed: 21 });
const [byOwner, byData] = [
  { by: 'owner' as const, name: any.wire('.'), span: 'below' as const },
  { by: 'address' as const, from: new Uint8Array(4), to: new Uint8Array(4).fill(255) },
].map(
  (selection): Scan => ({
    selection,
    filter: { types: 'any', fences: {} },
    merged: true,
    nowSeconds: any.nowSeconds,
  }),
) as [Scan, Scan];

async function rowsOf(store: RrsetStore, scan: Scan): Promise<readonly string[]> {
  return (await all(store.scan(scan))).map(shown).sort();
}

const isTryAgain = (error: unknown) => error instanceof Problem && error.code === 'try-again';

function filesIn(cacheDirectory: string): readonly string[] {
  return readdirSync(join(cacheDirectory, 'rrsets')).map((file) => join(cacheDirectory, 'rrsets', file));
}

if (postgres && gateway) {
  const nodesOf = (t: TestContext) => {
    const s3 = gateway.newOptions();
    const { open, newDatabase, databaseOptions } = newSegmentNodes(postgres, s3, t);
    const opened = (more?: Parameters<typeof open>[0]) => {
      const store = open(more);
      t.after(() => store.close());
      return store;
    };
    return { open: opened, newDatabase, databaseOptions, s3 };
  };

  test('a synchronous lookup shows what another node has committed, once the node was notified', async (t) => {
    const { open } = nodesOf(t);
    const [one, other] = [open(), open()];
    const owner = any.wire('new.example.');
    const lookup: Scan = { ...byOwner, selection: { by: 'owner', name: owner, span: 'none' } };
    assert.deepEqual(await all(other.scan(lookup)), []);
    const before = other.state?.();
    await record(one, [{ ...(observations[0] as (typeof observations)[0]), owner }]);
    while (other.state?.() === before) await pause(5);
    assert.equal(other.scan(lookup).readAllSync?.()?.length, 1);
  });

  test('while the object store is away, what is on the node is answered, and nothing that is written is lost', async (t) => {
    const { open, s3 } = nodesOf(t);
    let away = false;
    const endpoint = await startS3Proxy(t, s3.endpoint, { isAway: () => away });
    const [store, writer] = [open({ endpoint }), open()];
    await record(writer, observations.slice(0, 100));
    const known = await rowsOf(store, byOwner);
    assert.deepEqual(known, rowsFor(observations.slice(0, 100), byOwner).sort());
    away = true;
    await record(writer, observations.slice(100, 120));
    assert.deepEqual(await rowsOf(store, byOwner), known);
    await assert.rejects(rowsOf(store, byData), isTryAgain);
    const intake = await store.openIntake();
    for (const observation of observations.slice(120)) await intake.add(observation);
    await assert.rejects(intake.flush(), isTryAgain);
    away = false;
    await intake.flush();
    for (const scan of [byOwner, byData])
      assert.deepEqual(await rowsOf(store, scan), rowsFor(observations, scan).sort());
  });

  test('a batch that is written again, because nobody knows whether it was committed, counts once', async (t) => {
    const { open, databaseOptions, s3 } = nodesOf(t);
    const proxy = await startPostgresProxy(t, databaseOptions.url);
    const database = new PostgresDatabase({ ...databaseOptions, url: proxy.url });
    t.after(() => database.close());
    const store = open({ database, objects: openObjects(database, s3) });
    const intake = await store.openIntake({ importId: 'one' });
    for (const observation of observations) await intake.add(observation);
    proxy.loseCommitWith('insert into listed_batch');
    await assert.rejects(intake.flush(), isTryAgain);
    const other = open();
    assert.equal((await other.findImport('one'))?.observations, observations.length);
    proxy.comeBack();
    await intake.finish();
    assert.equal(intake.durable, observations.length);
    assert.deepEqual(await rowsOf(other, byOwner), rowsFor(observations, byOwner).sort());
  });

  test('a swap of segments under an earlier lease is refused', async (t) => {
    const { open, newDatabase, s3 } = nodesOf(t);
    const store = open();
    await record(store, observations.slice(0, 10));
    const database = newDatabase();
    const { stored } = openObjects(database, s3);
    const list = new SegmentList(database, stored);
    const late = await acquireLease(database);
    assert.ok(late);
    assert.equal(await acquireLease(database), undefined);
    await database.read((sql) => sql`update segment_compactor set until = now() - interval '1 second'`);
    const next = await acquireLease(database);
    assert.ok(next);
    const [source] = await list.listSegments();
    assert.ok(source);
    const object = await stored.upload('rrsets', (async function* () {})());
    const compacted = { summary: { ...source, name: '2-2-cd' }, object: { ...object, tableBytes: [] } };
    assert.equal(await list.replace(compacted, [source.name], late), false);
    assert.equal(await list.isListed(source.name), true);
    await Promise.all([late.release(), next.release()]);
  });

  test('two nodes that compact at once keep everything, and the objects of the sources are deleted after a day', async (t) => {
    const { open, newDatabase, s3 } = nodesOf(t);
    const [one, other] = [open(), open()];
    for (let from = 0; from < 300; from += 50) await record(one, observations.slice(from, from + 50));
    await Promise.all([one.compact(), other.compact()]);
    for (const store of [one, other])
      assert.deepEqual(await rowsOf(store, byOwner), rowsFor(observations, byOwner).sort());
    const { segments } = await one.statistics();
    const database = newDatabase();
    await database.read((sql) => sql`update unused_object set since = since - interval '25 hours'`);
    await openObjects(database, s3).stored.sweep();
    assert.equal((await gateway.listKeys(s3)).length, segments);
    assert.deepEqual(await rowsOf(open(), byOwner), rowsFor(observations, byOwner).sort());
  });

  test('a file of the cache that is damaged or lost is fetched again', async (t) => {
    const { open } = nodesOf(t);
    const [cacheDirectory, second] = [temporaryDirectory(t), temporaryDirectory(t)];
    await record(open(), observations);
    const store = open({ cacheDirectory });
    const expected = rowsFor(observations, byOwner).sort();
    assert.deepEqual(await rowsOf(store, byOwner), expected);
    const [file = ''] = filesIn(cacheDirectory);
    const damaged = readFileSync(file);
    damaged.fill(7, 100, 200);
    mkdirSync(join(second, 'rrsets'));
    writeFileSync(join(second, 'rrsets', file.split('/').at(-1) ?? ''), damaged);
    const damagedStore = open({ cacheDirectory: second });
    await assert.rejects(rowsOf(damagedStore, byOwner), isTryAgain);
    assert.deepEqual(await rowsOf(damagedStore, byOwner), expected);
    rmSync(file);
    assert.deepEqual(await rowsOf(store, byOwner), expected);
    assert.deepEqual(await rowsOf(open({ cacheDirectory }), byOwner), expected);
  });

  test('a damaged file that flexible search has open is fetched again', async (t) => {
    const { open } = nodesOf(t);
    const cacheDirectory = temporaryDirectory(t);
    const store = open({ cacheDirectory, searchBlockBytes: 1 });
    await record(store, observations);
    const everything = { kind: 'glob', text: '*' } as const;
    const search = () => all(store.scanText({ over: 'names', pattern: everything, filter: { fences: {} } }));
    const expected = await search();
    const file = filesIn(cacheDirectory).find((path) => path.endsWith('.distinct')) ?? '';
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(1000, 7), 0, 1000, 5000);
    closeSync(handle);
    await assert.rejects(search(), isTryAgain);
    assert.deepEqual(await search(), expected);
  });

  test('files of segments that are gone, and what killed processes have left, are removed', async (t) => {
    const { open } = nodesOf(t);
    const cacheDirectory = temporaryDirectory(t);
    mkdirSync(join(cacheDirectory, 'rrsets', 'verify-abc'), { recursive: true });
    for (const left of ['1-1-ab.forward', '2-2-cd.inverse.5-1.partial'])
      writeFileSync(join(cacheDirectory, 'rrsets', left), 'x');
    const store = open({ cacheDirectory, clock: { now: () => Date.now() + 2 * dayMs } });
    for (const from of [0, 100, 200]) await record(store, observations.slice(from, from + 100));
    await store.compact();
    const { segments } = await store.statistics();
    const names = filesIn(cacheDirectory).map((file) => file.split('/').at(-1)?.split('.')[0]);
    assert.equal(new Set(names).size, segments);
  });

  test('compaction leaves out a segment whose object is damaged, and says so', async (t) => {
    const { open, s3 } = nodesOf(t);
    const writer = open();
    for (let from = 0; from < 150; from += 50) await record(writer, observations.slice(from, from + 50));
    const [key = ''] = await gateway.listKeys(s3);
    await gateway.overwrite(s3, key, Buffer.from('wrong'));
    const faults: string[] = [];
    const store = open({ onFault: (fault) => faults.push(fault) });
    await store.compact();
    assert.equal((await store.statistics()).segments, 2);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? '', /s3:.*Compaction leaves the segment out/);
  });

  test('the cache holds no more than its bound and what a lookup reads', async (t) => {
    const { open } = nodesOf(t);
    const cacheDirectory = temporaryDirectory(t);
    const faults: string[] = [];
    const store = open({ cacheDirectory, cacheBytesMax: 1, onFault: (fault) => faults.push(fault) });
    await record(store, observations);
    for (const [scan, table] of [
      [byOwner, 'forward'],
      [byData, 'inverse'],
      [byOwner, 'forward'],
    ] as const) {
      assert.deepEqual(await rowsOf(store, scan), rowsFor(observations, scan).sort());
      const files = filesIn(cacheDirectory);
      assert.deepEqual(
        files.map((file) => file.split('.').at(-1)),
        [table],
      );
      const bytes = statSync(files[0] ?? '').size - 1;
      assert.match(faults.at(-1) ?? '', new RegExp(` ${bytes} bytes more than the cache directory may hold`));
    }
  });

  test('verification names segments whose objects were changed or lost', async (t) => {
    const { open, s3 } = nodesOf(t);
    const store = open();
    for (const from of [0, 100, 200]) await record(store, observations.slice(from, from + 100));
    const keys = await gateway.listKeys(s3);
    await gateway.overwrite(s3, keys[0] as string, Buffer.from('wrong'));
    await gateway.overwrite(s3, keys[1] as string, undefined);
    const damaged = new Set<string>();
    for await (const { file } of store.verify()) damaged.add(file);
    assert.deepEqual(
      [...damaged].sort(),
      keys
        .slice(0, 2)
        .map((key) => `s3://nameglass/${s3.prefix}${key}`)
        .sort(),
    );
  });

  test('after kill -9 of a node that imports and compacts, every acknowledged batch is stored exactly once', async (t) => {
    const s3 = gateway.newOptions();
    const imported = crashObservations();
    const scan = { ...byOwner, merged: false };
    const { open, newDatabase, databaseOptions } = newSegmentNodes(postgres, s3, t);
    const [reader, database] = [open(), newDatabase()];
    t.after(() => reader.close());
    const rounds = 5;
    let acknowledged = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const args = [worker, JSON.stringify(databaseOptions), JSON.stringify(s3), temporaryDirectory(t)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      if (round < rounds)
        child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), Math.random() * 800));
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      await once(child, 'close');
      const last = text.split('\n').at(-2) ?? '';
      acknowledged = last === 'complete' ? imported.length : Math.max(acknowledged, Number(last));
      const durable = (await reader.findImport('crash'))?.observations ?? 0;
      assert.ok(durable >= acknowledged, `${acknowledged} were acknowledged, ${durable} are stored`);
      assert.deepEqual(await rowsOf(reader, scan), rowsFor(imported.slice(0, durable), scan).sort());
      // What a killed node held is free again a minute later; the test does not wait for that.
      await database.read((sql) => sql`update segment_compactor set until = '-infinity'`);
    }
    assert.equal(acknowledged, imported.length);
  });
}
