import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';
import { WorldClock } from '../../../world/clock.ts';
import { brands } from '../../../world/story/brands.ts';
import { dayMs } from '../../../world/story/life.ts';
import { findLookalike } from '../../../world/story/lookalike-names.ts';
import { Random } from '../../../world/story/random.ts';
import { Story } from '../../../world/story/story.ts';
import type { WorldDomain } from '../../../world/world-domain.ts';

const matcher = new Matcher(brands.map(({ word }) => ({ text: word, substringVariations: true })));

test('every lookalike that crews think of is found by a monitor of the brand, some of them in other scripts', () => {
  const taken = new Set<string>();
  const missed: string[] = [];
  for (const brand of brands) {
    const random = new Random(brand.word);
    for (let index = 0; index < 100; index += 1) {
      const name = findLookalike(brand, random, (each) => taken.has(each));
      if (name === undefined) continue;
      taken.add(name);
      if (!matcher.match(name).some(({ term }) => brands[term]?.word === brand.word)) missed.push(name);
    }
  }
  assert.ok(taken.size > 500);
  assert.ok([...taken].some((name) => name.startsWith('xn--')));
  assert.deepEqual(missed, []);
});

test('where every name is taken none is found', () => {
  const [brand] = brands;
  assert.ok(brand);
  assert.equal(
    findLookalike(brand, new Random('1'), () => true),
    undefined,
  );
});

test('parkers buy lookalikes that monitors find, and a few of them end as a page of a crew', async () => {
  const startMs = Date.parse('2026-03-01T00:00:00Z');
  const clock = new WorldClock({ startMs, speed: 0, machineNow: () => 0 });
  const { view } = new Story({ seed: 7, domains: 0, startMs, eventsPerHour: 60, hostile: false }, clock);
  const parked = new Map<string, WorldDomain | undefined>();
  view.follow(({ kind, domain: name }) => {
    const domain = view.find(name);
    if (kind === 'registered' && domain?.actor === 'parker' && matcher.match(name).length > 0)
      parked.set(name, domain);
    else if (kind === 'armed' && parked.has(name)) parked.set(name, domain);
  });
  await clock.advance(20 * dayMs);
  const sold = [...parked.values()].filter((domain) => domain?.actor === 'crew');
  assert.ok(parked.size > 200, `${parked.size}`);
  assert.ok(sold.length > 0 && sold.length < 0.1 * parked.size, `${sold.length}`);
  for (const domain of sold) {
    assert.equal(domain?.site?.kind, 'login');
    assert.ok(domain?.nameServers.every((host) => !host.endsWith('parkinglot.brax')));
  }
});
