import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { consumeStream } from '../../../src/store/stream/consume-stream.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const clock = new TestClock();

test('without create a directory that holds no data is refused, and nothing is created', (t) => {
  const data = join(temporaryDirectory(t), 'missing');
  assert.throws(() => openEmbeddedStores({ data, clock, create: false }), {
    name: 'Problem',
    code: 'not-found',
    message: new RegExp(`there is no data of Nameglass in ${data}`),
  });
  assert.equal(existsSync(data), false);
});

test('stores opened again on one directory have the same data and the same link key', async (t) => {
  const data = temporaryDirectory(t);
  const first = openEmbeddedStores({ data, clock });
  await first.names.recordNames('list', ['a.example'], clock.now(), { checkpoint: '1' });
  await first.close();
  const again = openEmbeddedStores({ data, clock, create: false });
  t.after(() => again.close());
  assert.equal(await again.names.findCheckpoint('list'), '1');
  assert.deepEqual(again.linkKey, first.linkKey);
  assert.ok(readdirSync(data).includes('secret.key'));
});

test('a configured secret replaces the one in the data directory', async (t) => {
  const data = temporaryDirectory(t);
  const stores = openEmbeddedStores({ data, clock, secret: 'ab'.repeat(32) });
  t.after(() => stores.close());
  assert.equal(existsSync(join(data, 'secret.key')), false);
});

test('what a server without data asks again and again starts no thread', async (t) => {
  const stores = openEmbeddedStores({ data: temporaryDirectory(t), clock });
  t.after(() => stores.close());
  const started: unknown[] = [];
  const note = (thread: unknown) => started.push(thread);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  const now = clock.now();
  await consumeStream({ stream: 'feed-nod', name: 'matcher' }, { streams: stores.streams, clock }, async () =>
    assert.fail(),
  );
  await stores.streams.pruneSegments('feed-nod', 1);
  await stores.streams.removeIdleProducerMarks('ingest:', now);
  await stores.streams.removeIdleConsumers('feed-nod', 'session:', now);
  assert.deepEqual(await stores.events.leaseSubscriptions(9, now, now + 1), []);
  assert.deepEqual(await stores.escalations.leaseSubmissions(9, now, now + 1), []);
  await stores.events.pruneEvents(now);
  await stores.watchlist.pruneUnmatchedDomains(now);
  await stores.blocklists.renewSerials(now);
  await stores.domains.pruneUpdates(now);
  await stores.domains.sweepTags(now);
  assert.deepEqual(started, []);
  await stores.names.recordNames('list', ['a.example'], now, { checkpoint: '1' });
  assert.equal(started.length, 1, 'a write does');
});
