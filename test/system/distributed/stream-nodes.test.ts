import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Problem } from '../../../src/model/problem.ts';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import { RangeLeases } from '../../../src/store/distributed/stream/range-leases.ts';
import {
  type DistributedStreamStore,
  openStreamStore,
} from '../../../src/store/distributed/stream/stream-store.ts';
import { contentOf, textOf } from '../../conformance/stream-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../harness/engines/rados-gateway.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);
const minuteMs = 60_000;
const noonMs = Date.parse('2026-03-04T12:00:00Z');
const noon = noonMs / minuteMs;
const laterMs = noonMs + 10 * minuteMs;
const isTryAgain = (error: unknown) => error instanceof Problem && error.code === 'try-again';
const append = (store: DistributedStreamStore, text: string, atMs = noonMs) =>
  store.append([{ stream: 'feed-nod', bytes: Buffer.from(text) }], atMs);

if (postgres && gateway) {
  const open = (t: TestContext) => {
    const node = newNodes(postgres, ['streams'], t);
    const options = gateway.newOptions();
    const store = () => {
      const database = node();
      const opened = openStreamStore(database, openObjects(database, options));
      t.after(() => opened.close());
      return opened;
    };
    return { store, options, database: node() };
  };

  test('two nodes append to one stream under marks while a third seals it and a fourth reads: bytes and order agree', async (t) => {
    const { store } = open(t);
    const [one, other, sealer, reader] = [store(), store(), store(), store()];
    const [count, size] = [60, 3];
    const done = new AbortController();
    const write = async (node: DistributedStreamStore, producer: string) => {
      for (let number = 0; number < count; number += 1) {
        const text = Array.from(
          { length: size },
          (_, index) => `${producer} ${number * size + index}\n`,
        ).join('');
        const lines = [
          { stream: 'feed-nod', bytes: Buffer.from(text) },
          { stream: producer, bytes: Buffer.from(text) },
        ];
        const mark = { producer, from: number === 0 ? undefined : String(number), to: String(number + 1) };
        assert.equal(await node.append(lines, noonMs + number * 10_000, mark), true);
        assert.equal(await node.append(lines, noonMs, mark), false);
      }
    };
    const sealAll = async () => {
      for (let last = false; !last; ) {
        last = done.signal.aborted;
        await sealer.sealSegments(laterMs + 100 * minuteMs);
      }
    };
    const seen: string[] = [];
    const readAll = async () => {
      while (!done.signal.aborted) seen.push(await contentOf(reader, 'feed-nod'));
    };
    const written = Promise.all([write(one, 'p1'), write(other, 'p2')]).finally(() => done.abort());
    await Promise.all([written, sealAll(), readAll()]);
    const whole = await contentOf(reader, 'feed-nod');
    for (const text of seen) assert.ok(whole.startsWith(text));
    for (const producer of ['p1', 'p2']) {
      const own = whole.split(/(?<=\n)/).filter((line) => line.startsWith(producer));
      assert.deepEqual(
        own,
        Array.from({ length: count * size }, (_, index) => `${producer} ${index}\n`),
      );
      assert.equal(await contentOf(one, producer), own.join(''));
      assert.equal(await other.findProducerMark(producer), String(count));
    }
    t.diagnostic(`read ${seen.length} times meanwhile`);
  });

  test('while S3 is away appends and the latest lines work, older ones are a problem to try again, and sealing goes on later', async (t) => {
    const { store, options } = open(t);
    const [one, other] = [store(), store()];
    await append(one, 'old\n');
    assert.equal(await one.sealSegments(laterMs), 1);
    await gateway.kill();
    try {
      assert.equal(await append(other, 'new\n', laterMs), true);
      assert.equal(await contentOf(other, 'feed-nod', 4), 'new\n');
      assert.equal((await other.findState('feed-nod'))?.lines, 2);
      await assert.rejects(contentOf(other, 'feed-nod'), isTryAgain);
      await assert.rejects(other.sealSegments(laterMs + 10 * minuteMs), isTryAgain);
    } finally {
      await gateway.start();
    }
    assert.equal(await other.sealSegments(laterMs + 10 * minuteMs), 1);
    assert.equal(await contentOf(store(), 'feed-nod'), 'old\nnew\n');
    assert.equal((await gateway.listKeys(options)).length, 2);
  });

  test('the last minutes stay in the database, and a full segment goes to S3 before its minute is closed', async (t) => {
    const { store, options } = open(t);
    const streams = store();
    await append(streams, 'a\n');
    assert.equal(await streams.sealSegments(noonMs + minuteMs), 0);
    assert.equal(await streams.sealSegments(noonMs + 2 * minuteMs), 1);
    const line = `${'x'.repeat(99_999)}\n`;
    await append(streams, line.repeat(100), laterMs);
    assert.equal(await streams.sealSegments(laterMs), 1);
    assert.equal((await gateway.listKeys(options)).length, 2);
    assert.equal(await contentOf(streams, 'feed-nod'), `a\n${line.repeat(100)}`);
    assert.equal(await streams.countLines('feed-nod', 0, 10_000_002), 101);
  });

  test('a range that is open stays readable when its lines are sealed, and they are deleted when it is closed', async (t) => {
    const { store, options } = open(t);
    const [one, other] = [store(), store()];
    await append(one, 'a\n');
    await append(one, 'b\n', noonMs + minuteMs);
    const range = (await one.openRange('feed-nod', 0, 4)) ?? assert.fail();
    await other.sealSegments(laterMs);
    await other.pruneSegments('feed-nod', noon + 9);
    assert.equal(await textOf(range), 'a\nb\n');
    await range.close();
    await other.pruneSegments('feed-nod', noon + 9);
    assert.equal((await other.findState('feed-nod'))?.start, 4);
    assert.equal((await gateway.listKeys(options)).length, 2, 'objects go a day later');
  });

  test('a reader whose lease has ended gets an error where lines were deleted, never a hole', async (t) => {
    const { store, database } = open(t);
    const [one, other] = [store(), store()];
    await append(one, 'a\n');
    await append(one, 'b\n', noonMs + minuteMs);
    const range = (await one.openRange('feed-nod', 0, 4)) ?? assert.fail();
    await database.read((sql) => sql`update range_lease set until = now() - interval '1 second'`);
    await other.pruneSegments('feed-nod', noon + 1);
    await assert.rejects(textOf(range), isTryAgain);
    assert.equal(await textOf(range, 2), 'b\n');
    await range.close();
  });

  test('a lease that is renewed protects its range, also when the server has lost it', async (t) => {
    const { store, database } = open(t);
    const streams = store();
    await append(streams, 'a\n');
    const leases = new RangeLeases(database);
    const leased = (await leases.acquire('feed-nod', 0, 2)) ?? assert.fail();
    for (const lose of [
      () => database.read((sql) => sql`update range_lease set until = now() - interval '1 second'`),
      () => database.read((sql) => sql`truncate range_lease`),
    ]) {
      await lose();
      await leases.renew();
      await streams.pruneSegments('feed-nod', noon + 9);
      assert.equal(await contentOf(streams, 'feed-nod'), 'a\n');
    }
    await leased.release();
    await streams.pruneSegments('feed-nod', noon + 9);
    assert.equal(await contentOf(streams, 'feed-nod'), '');
    await leases.close();
  });

  test('damaged lines are named by verification, and consumers that stopped at them continue behind them on request', async (t) => {
    const { store, options, database } = open(t);
    const streams = store();
    for (const [index, text] of ['a\n', 'b\n', 'c\n'].entries())
      await append(streams, text, noonMs + index * minuteMs);
    await streams.sealSegments(noonMs + 3 * minuteMs);
    const [first = ''] = await gateway.listKeys(options);
    await gateway.overwrite(options, first, Buffer.from('A\n'));
    await database.read((sql) => sql`update stream_chunk set bytes = 'C\n'`);
    const consumer = { stream: 'feed-nod', name: 'stage' };
    await streams.leaseOffset(consumer, 'h', laterMs, laterMs + 1);
    await streams.commitOffset(consumer, 'h', 0, laterMs);
    await streams.releaseOffset(consumer, 'h');
    const [damages, progress]: [string[], number[]] = [[], []];
    for await (const { file } of streams.verify((done) => progress.push(done))) damages.push(file);
    assert.deepEqual(damages, [`s3://nameglass/${options.prefix}${first}`, 'postgres/streams/feed-nod']);
    assert.deepEqual(progress, [2, 4, 6]);
    assert.deepEqual(await streams.skipDamaged(laterMs), [{ ...consumer, from: 0, to: 2 }]);
    assert.equal(await contentOf(streams, 'feed-nod', 2, 4), 'b\n');
  });
} else {
  test('streams of several nodes', { skip: 'skipped: no PostgreSQL or no RADOS Gateway' }, () => undefined);
}
