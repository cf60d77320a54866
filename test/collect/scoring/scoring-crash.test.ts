/** Scoring is killed at each of its steps in turn, and goes on: every score and every line is there as if nothing had happened. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoringNeeds } from '../../../src/collect/scoring/scoring-stages.ts';
import { observe } from '../../harness/observe.ts';
import {
  componentOf,
  crewRecord,
  discover,
  say,
  scoreAll,
  scoringWorld,
  write,
} from '../../harness/scoring.ts';
import { linesIn } from '../../harness/told.ts';

const world = scoringWorld();
const { clock } = world;
/** Odd, so that every second one dies before its call and the others after it. */
const stride = 15;
const roles = ['first', 'second', 'third'];

class Killed extends Error {}

type Stores = Omit<ScoringNeeds, 'onFailure'>;

/** Every call of a store counts; from one on the process is dead, whether that call still did its work or not. */
function mortal(stores: Stores, dieAt: number): { readonly stores: Stores; readonly calls: () => number } {
  let calls = 0;
  const killable = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const method = Reflect.get(target, name);
        if (typeof method !== 'function' || name === 'scan') return method;
        return async (...given: unknown[]) => {
          calls += 1;
          if (calls > dieAt || (calls === dieAt && dieAt % 2 === 0)) throw new Killed();
          const result = await Reflect.apply(method, target, given);
          if (calls >= dieAt) throw new Killed();
          return result;
        };
      },
    });
  const { domains, risks, names, streams, jobs } = stores;
  return {
    stores: {
      ...stores,
      domains: killable(domains),
      risks: killable(risks),
      names: killable(names),
      streams: killable(streams),
      jobs: killable(jobs),
    },
    calls: () => calls,
  };
}

/** A crew of its own: one is discovered and seen, two have records; then the first becomes known as bad. */
async function tellOfCrew(crew: string): Promise<void> {
  const domains = roles.map((role) => `${role}${crew}.com`);
  await discover(world, ...domains);
  await write(world, ...domains.map((domain) => crewRecord(domain, crew)));
  await observe(world.rrsets, [{ rrname: `www.${domains[0]}`, time_first: Math.floor(clock.now() / 1000) }]);
  await say(world, 'phishing', domains.slice(0, 1));
}

/** What came of a crew: proximities, and lines of both feeds without their times. */
async function outcomeOf(crew: string): Promise<object> {
  const proximities = await Promise.all(
    roles.map((role) => componentOf(world, `${role}${crew}.com`, 'proximity')),
  );
  const lines = [];
  for (const feed of ['domainrisk', 'domainhotlist']) {
    for (const line of await linesIn(world.streams, `feed-${feed}`)) {
      const { domain, proximity_risk } = JSON.parse(line) as { domain: string; proximity_risk: number };
      // What names alone say differs from crew to crew.
      if (domain.endsWith(`${crew}.com`) && proximity_risk >= 70)
        lines.push(`${feed} ${domain.replace(crew, '')} ${proximity_risk}`);
    }
  }
  return { proximities, lines: lines.sort() };
}

/** Letters alone, so that no crew is like another. */
const crewName = (number: number) =>
  `crew${String(number)
    .split('')
    .map((digit) => 'qwrtpsdfgh'.charAt(Number(digit)).repeat(3))
    .join('')}`;

test('whenever it is killed, scores and lines of feeds are the same in the end', async (t) => {
  await tellOfCrew(crewName(0));
  const counted = mortal(world, Number.POSITIVE_INFINITY);
  await scoreAll(counted.stores);
  const expected = await outcomeOf(crewName(0));
  t.diagnostic(`${counted.calls()} steps: ${JSON.stringify(expected)}`);
  for (let dieAt = 1; dieAt < counted.calls(); dieAt += stride) {
    const crew = crewName(dieAt);
    await tellOfCrew(crew);
    await assert.rejects(scoreAll(mortal(world, dieAt).stores), Killed);
    // What the dead one held is free some time later.
    clock.advanceSeconds(600);
    await scoreAll(world);
    assert.deepEqual(await outcomeOf(crew), expected, `killed at step ${dieAt}`);
  }
});
