/** Scoring crashes at each of its steps in turn and resumes: scores and lines are the same as without a crash. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoringNeeds } from '../../../src/pipeline/scoring/scoring-stages.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';
import { observe } from '../../harness/fixtures/observe-rrsets.ts';
import {
  addToList,
  componentOf,
  crewRecord,
  recordDiscovery,
  scoreAll,
  scoringWorld,
  writeRecord,
} from '../../harness/fixtures/scoring-fixture.ts';

const world = scoringWorld();
const { clock } = world;
/** Odd, so that crashes before and after the call alternate. */
const stride = 15;
const roles = ['first', 'second', 'third'];

class Crashed extends Error {}

type Stores = Omit<ScoringNeeds, 'onFailure'>;

/** Counts the calls of all stores; from one of them on every call fails, before or after that one took effect. */
function crashing(
  stores: Stores,
  crashAt: number,
): { readonly stores: Stores; readonly calls: () => number } {
  let calls = 0;
  const killable = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const method = Reflect.get(target, name);
        if (typeof method !== 'function' || name === 'scan') return method;
        return async (...given: unknown[]) => {
          calls += 1;
          if (calls > crashAt || (calls === crashAt && crashAt % 2 === 0)) throw new Crashed();
          const result = await Reflect.apply(method, target, given);
          if (calls >= crashAt) throw new Crashed();
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

/** Adds a cluster of three related domains: all are discovered and have records, the first is seen by sensors and listed as bad. */
async function addCrew(crew: string): Promise<void> {
  const domains = roles.map((role) => `${role}${crew}.com`);
  await recordDiscovery(world, ...domains);
  await writeRecord(world, ...domains.map((domain) => crewRecord(domain, crew)));
  await observe(world.rrsets, [{ rrname: `www.${domains[0]}`, time_first: Math.floor(clock.now() / 1000) }]);
  await addToList(world, 'phishing', domains.slice(0, 1));
}

/** The proximities of a crew, and its lines of both feeds without their times. */
async function outcomeOf(crew: string): Promise<object> {
  const proximities = await Promise.all(
    roles.map((role) => componentOf(world, `${role}${crew}.com`, 'proximity')),
  );
  const lines = [];
  for (const feed of ['domainrisk', 'domainhotlist']) {
    for (const line of await linesIn(world.streams, `feed-${feed}`)) {
      const { domain, proximity_risk } = JSON.parse(line) as { domain: string; proximity_risk: number };
      // Scores by name alone differ from crew to crew.
      if (domain.endsWith(`${crew}.com`) && proximity_risk >= 70)
        lines.push(`${feed} ${domain.replace(crew, '')} ${proximity_risk}`);
    }
  }
  return { proximities, lines: lines.sort() };
}

/** Letters alone, so that names of different crews are not alike. */
const crewName = (number: number) =>
  `crew${String(number)
    .split('')
    .map((digit) => 'qwrtpsdfgh'.charAt(Number(digit)).repeat(3))
    .join('')}`;

test('a crash at any step gives the same scores and feed lines in the end', async (t) => {
  await addCrew(crewName(0));
  const counted = crashing(world, Number.POSITIVE_INFINITY);
  await scoreAll(counted.stores);
  const expected = await outcomeOf(crewName(0));
  t.diagnostic(`${counted.calls()} steps: ${JSON.stringify(expected)}`);
  for (let crashAt = 1; crashAt < counted.calls(); crashAt += stride) {
    const crew = crewName(crashAt);
    await addCrew(crew);
    await assert.rejects(scoreAll(crashing(world, crashAt).stores), Crashed);
    // The leases of the crashed process expire.
    clock.advanceSeconds(600);
    await scoreAll(world);
    assert.deepEqual(await outcomeOf(crew), expected, `crashed at step ${crashAt}`);
  }
});
