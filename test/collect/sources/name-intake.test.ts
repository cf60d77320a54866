import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNameIntake } from '../../../src/collect/sources/name-intake.ts';
import { publishDiscoveries } from '../../../src/pipeline/publishing/publish-discoveries.ts';
import { nameWorld } from '../../harness/fixtures/name-fixture.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';

const seenMs = 1_800_000_000_000;

test('FEED-39 names of third parties are published on domaindiscovery as registrable domains, each once', async (t) => {
  const { intake, published } = nameWorld(t);
  const names = [
    'www.Example.com',
    '*.example.com',
    'a.b.example.co.uk',
    '192.0.2.1',
    'nonsense',
    'me.pages.dev',
  ];
  assert.deepEqual(await intake.ingest('one', { names, seenMs }), { newDomains: 3 });
  assert.deepEqual(await intake.ingest('two', { names: [...names, 'new.example'], seenMs }), {
    newDomains: 1,
  });
  assert.deepEqual((await published()).toSorted(), [
    'example.co.uk',
    'example.com',
    'me.pages.dev',
    'new.example',
  ]);
});

test('published discoveries have the time of publication', async (t) => {
  const { intake, published, streams, clock } = nameWorld(t);
  await intake.ingest('one', { names: ['example.com'], seenMs: 0 });
  await published();
  const timestamp = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  assert.deepEqual(
    (await linesIn(streams, 'feed-domaindiscovery')).map((line) => JSON.parse(line)),
    [{ timestamp, domain: 'example.com' }],
  );
});

test('a host below a domain is published for matching, whether its domain is new or known', async (t) => {
  const { intake, hosts } = nameWorld(t);
  await intake.ingest('one', { names: ['example.com', 'login.example.com', 'www.example.com'], seenMs });
  await intake.ingest('one', { names: ['pay.example.com', 'login.example.com', '*.example.com'], seenMs });
  await intake.ingest('two', { names: ['LOGIN.example.com.'], seenMs });
  assert.deepEqual(await hosts(), ['login.example.com', 'pay.example.com']);
});

test('hosts seen long ago are published again, so that memory stays bounded', async (t) => {
  const { hosts, ...world } = nameWorld(t);
  const intake = openNameIntake({ ...world, rememberedNames: 50 });
  await intake.ingest('one', { names: ['login.example.com'], seenMs });
  const names = Array.from({ length: 120 }, (_, index) => `h${index}.many.example`);
  await intake.ingest('one', { names, seenMs });
  await intake.ingest('one', { names: ['login.example.com'], seenMs });
  const again = (await hosts()).filter((host) => host === 'login.example.com');
  assert.equal(again.length, 2);
});

test('a batch that could not be recorded is published and recorded when it is ingested again', async (t) => {
  const { names, streams, clock, published, hosts } = nameWorld(t);
  let isFailing = true;
  const intake = openNameIntake({
    streams,
    clock,
    names: {
      findCheckpoint: (source) => names.findCheckpoint(source),
      recordNames: (...given) =>
        isFailing ? Promise.reject(new Error('the disk is full')) : names.recordNames(...given),
    },
  });
  const batch = { names: ['login.example.com'], seenMs, checkpoint: '7' };
  await assert.rejects(intake.ingest('one', batch), /disk is full/);
  assert.equal(await intake.findCheckpoint('one'), undefined);
  isFailing = false;
  assert.deepEqual(await intake.ingest('one', batch), { newDomains: 1 });
  assert.deepEqual(
    [await intake.findCheckpoint('one'), await published(), new Set(await hosts())],
    ['7', ['example.com'], new Set(['login.example.com'])],
  );
});

test('a batch larger than the store accepts in one call is split, and the checkpoint moves with the last part', async (t) => {
  const { intake, names, published } = nameWorld(t);
  const many = Array.from({ length: 12_000 }, (_, index) => `n${index}.example`);
  assert.deepEqual(await intake.ingest('one', { names: many, seenMs, checkpoint: 'end' }), {
    newDomains: 12_000,
  });
  assert.deepEqual([await intake.findCheckpoint('one'), (await published()).length], ['end', 12_000]);
  assert.deepEqual(await names.statistics(), { domains: 12_000, unpublished: 0 });
});

test('a checkpoint moves without names, and nothing is written where there is neither', async (t) => {
  const { intake } = nameWorld(t);
  await intake.ingest('one', { names: [], seenMs, checkpoint: '3' });
  await intake.ingest('one', { names: ['nonsense'], seenMs });
  assert.equal(await intake.findCheckpoint('one'), '3');
});

test('concurrent publishers, and one killed before it marked its domains, publish each domain once', async (t) => {
  const { intake, names, streams, clock, published } = nameWorld(t);
  const killed = {
    findUnpublished: () => names.findUnpublished(),
    statistics: () => names.statistics(),
    markPublished: () => Promise.reject(new Error('killed')),
  };
  for (let round = 0; round < 10; round += 1) {
    await intake.ingest('one', { names: [`a${round}.example`, `b${round}.example`], seenMs });
    if (round % 2) await assert.rejects(publishDiscoveries({ names: killed, streams, clock }), /killed/);
    await Promise.all([1, 2, 3].map(() => publishDiscoveries({ names, streams, clock })));
  }
  const domains = await published();
  assert.deepEqual([domains.length, new Set(domains).size], [20, 20]);
});

test('a new name store is published in full although the streams know the old one', async (t) => {
  const { directory, intake, streams, clock, published } = nameWorld(t);
  await intake.ingest('one', { names: ['a.example'], seenMs });
  await published();
  const other = nameWorld(t);
  await other.intake.ingest('one', { names: ['b.example'], seenMs });
  assert.notEqual(directory, other.directory);
  await publishDiscoveries({ names: other.names, streams, clock });
  assert.deepEqual(await published(), ['a.example', 'b.example']);
});
