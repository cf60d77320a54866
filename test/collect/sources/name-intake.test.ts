import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNameIntake } from '../../../src/collect/sources/name-intake.ts';
import { tellDiscoveries } from '../../../src/collect/sources/tell-discoveries.ts';
import { nameWorld } from '../../harness/name-world.ts';
import { linesIn } from '../../harness/told.ts';

const seenMs = 1_800_000_000_000;

test('FEED-39 names of third parties are told on domaindiscovery as their registrable domains, each once', async (t) => {
  const { intake, told } = nameWorld(t);
  const names = [
    'www.Example.com',
    '*.example.com',
    'a.b.example.co.uk',
    '192.0.2.1',
    'nonsense',
    'me.pages.dev',
  ];
  assert.deepEqual(await intake.take('one', { names, seenMs }), { fresh: 3 });
  assert.deepEqual(await intake.take('two', { names: [...names, 'new.example'], seenMs }), { fresh: 1 });
  assert.deepEqual((await told()).toSorted(), [
    'example.co.uk',
    'example.com',
    'me.pages.dev',
    'new.example',
  ]);
});

test('lines of discoveries carry the time at which they are told', async (t) => {
  const { intake, told, streams, clock } = nameWorld(t);
  await intake.take('one', { names: ['example.com'], seenMs: 0 });
  await told();
  const timestamp = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  assert.deepEqual(
    (await linesIn(streams, 'feed-domaindiscovery')).map((line) => JSON.parse(line)),
    [{ timestamp, domain: 'example.com' }],
  );
});

test('a host below a domain is handed on to be matched, whether its domain is new or known', async (t) => {
  const { intake, hosts } = nameWorld(t);
  await intake.take('one', { names: ['example.com', 'login.example.com', 'www.example.com'], seenMs });
  await intake.take('one', { names: ['pay.example.com', 'login.example.com', '*.example.com'], seenMs });
  await intake.take('two', { names: ['LOGIN.example.com.'], seenMs });
  assert.deepEqual(await hosts(), ['login.example.com', 'pay.example.com']);
});

test('hosts that came long ago are handed on again, so that memory stays bounded', async (t) => {
  const { hosts, ...world } = nameWorld(t);
  const intake = openNameIntake({ ...world, rememberedNames: 50 });
  await intake.take('one', { names: ['login.example.com'], seenMs });
  const names = Array.from({ length: 120 }, (_, index) => `h${index}.many.example`);
  await intake.take('one', { names, seenMs });
  await intake.take('one', { names: ['login.example.com'], seenMs });
  const again = (await hosts()).filter((host) => host === 'login.example.com');
  assert.equal(again.length, 2);
});

test('what could not be taken is handed on and taken when it comes again', async (t) => {
  const { names, streams, clock, told, hosts } = nameWorld(t);
  let isFailing = true;
  const intake = openNameIntake({
    streams,
    clock,
    names: {
      findPlace: (source) => names.findPlace(source),
      take: (...given) => (isFailing ? Promise.reject(new Error('the disk is full')) : names.take(...given)),
    },
  });
  const batch = { names: ['login.example.com'], seenMs, place: '7' };
  await assert.rejects(intake.take('one', batch), /disk is full/);
  assert.equal(await intake.findPlace('one'), undefined);
  isFailing = false;
  assert.deepEqual(await intake.take('one', batch), { fresh: 1 });
  assert.deepEqual(
    [await intake.findPlace('one'), await told(), new Set(await hosts())],
    ['7', ['example.com'], new Set(['login.example.com'])],
  );
});

test('a batch of more domains than the store takes at once is taken whole, and its place moves with the last of them', async (t) => {
  const { intake, names, told } = nameWorld(t);
  const many = Array.from({ length: 12_000 }, (_, index) => `n${index}.example`);
  assert.deepEqual(await intake.take('one', { names: many, seenMs, place: 'end' }), { fresh: 12_000 });
  assert.deepEqual([await intake.findPlace('one'), (await told()).length], ['end', 12_000]);
  assert.deepEqual(await names.statistics(), { domains: 12_000, untold: 0 });
});

test('a place moves although nothing came, and nothing is written where there is neither', async (t) => {
  const { intake } = nameWorld(t);
  await intake.take('one', { names: [], seenMs, place: '3' });
  await intake.take('one', { names: ['nonsense'], seenMs });
  assert.equal(await intake.findPlace('one'), '3');
});

test('two that tell at the same time, and one that was killed before it said so, tell each domain once', async (t) => {
  const { intake, names, streams, clock, told } = nameWorld(t);
  const killed = {
    findUntold: () => names.findUntold(),
    statistics: () => names.statistics(),
    markTold: () => Promise.reject(new Error('killed')),
  };
  for (let round = 0; round < 10; round += 1) {
    await intake.take('one', { names: [`a${round}.example`, `b${round}.example`], seenMs });
    if (round % 2) await assert.rejects(tellDiscoveries({ names: killed, streams, clock }), /killed/);
    await Promise.all([1, 2, 3].map(() => tellDiscoveries({ names, streams, clock })));
  }
  const domains = await told();
  assert.deepEqual([domains.length, new Set(domains).size], [20, 20]);
});

test('a store of names that is made anew is told in full beside streams that remember the old one', async (t) => {
  const { directory, intake, streams, clock, told } = nameWorld(t);
  await intake.take('one', { names: ['a.example'], seenMs });
  await told();
  const other = nameWorld(t);
  await other.intake.take('one', { names: ['b.example'], seenMs });
  assert.notEqual(directory, other.directory);
  await tellDiscoveries({ names: other.names, streams, clock });
  assert.deepEqual(await told(), ['a.example', 'b.example']);
});
