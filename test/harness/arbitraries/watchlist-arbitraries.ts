/** Random watchlist operations and queries over few names and times, so that they often interact. */
import * as fc from 'fast-check';
import { decisionTargets, domainStates, escalationTypes } from '../../../src/model/detect/watchlist.ts';

const name = fc.constantFrom(
  'a.com',
  'b.com',
  'b.net',
  'school.net',
  'xn--bcher-kva.com',
  'sub.school.net',
  'c.co.uk',
);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
const monitor = fc.nat(2);
const time = fc.nat(40);

const facts = fc.record({
  active: fc.boolean(),
  mxExists: fc.boolean(),
  nameServers: fc.uniqueArray(fc.constantFrom('ns.acme.net', 'ns.host.net'), { maxLength: 2 }),
  riskScore: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
  riskStatus: fc.constantFrom('provisional' as const, 'full' as const, undefined),
  riskComponents: fc.constant(undefined),
});

const exclusions = fc.record({
  nameserverExclusions: fc.subarray(['*.acme.net', 'ns.host.*']),
  textExclusions: fc.subarray(['school', 'bücher']),
});

function step<Kind extends string, Members extends object>(
  kind: Kind,
  members: { [Key in keyof Members]: fc.Arbitrary<Members[Key]> },
): fc.Arbitrary<{ readonly do: Kind } & Members> {
  return fc.record<Members>(members).map((rest) => ({ do: kind, ...rest }));
}

const oneStep = fc.oneof(
  { weight: 2, arbitrary: step('create', { monitor, exclusions }) },
  { weight: 2, arbitrary: step('exclude', { monitor, exclusions }) },
  { weight: 1, arbitrary: step('activate', { monitor, active: fc.boolean() }) },
  { weight: 1, arbitrary: step('delete', { monitor }) },
  { weight: 1, arbitrary: step('own', { name, owned: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: step('discover', {
      names,
      monitors: fc.uniqueArray(monitor, { minLength: 1 }),
      facts: fc.option(facts, { nil: undefined }),
    }),
  },
  {
    weight: 5,
    arbitrary: step('change', {
      names,
      facts,
      changedMs: fc.option(time, { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: step('triage', { names, state: fc.constantFrom('watched' as const, 'ignored' as const) }),
  },
  { weight: 3, arbitrary: step('escalate', { names, type: fc.constantFrom(...escalationTypes) }) },
  {
    weight: 5,
    arbitrary: step('decide', {
      names,
      person: fc.constantFrom('ann', 'bob'),
      target: fc.constantFrom(...decisionTargets),
    }),
  },
  // Counted from the latest decision.
  {
    weight: 5,
    arbitrary: step('undo', {
      decision: fc.nat(4),
      person: fc.constantFrom('ann', 'bob'),
      skipConflicts: fc.boolean(),
    }),
  },
);

export type Step = typeof oneStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Starts with a monitor, so that there is something to find. */
export const steps = fc
  .tuple(exclusions, fc.array(oneStep, { minLength: 20, maxLength: 60, size: 'max' }))
  .map(([first, rest]): Step[] => [{ do: 'create', monitor: 0, exclusions: first }, ...rest]);

const order = {
  state: fc.constantFrom(...domainStates),
  sort: fc.uniqueArray(
    fc.constantFrom('discovered_date' as const, 'changed_date' as const, 'risk_score' as const),
  ),
  descending: fc.boolean(),
  offset: fc.nat(2),
  limit: fc.integer({ min: 1, max: 4 }),
};

const filters = {
  tlds: fc.subarray(['com', 'net', 'co.uk'], { minLength: 1 }),
  riskRanges: fc.subarray<readonly [number, number]>(
    [
      [0, 0],
      [1, 39],
      [70, 99],
    ],
    { minLength: 1 },
  ),
  mxExists: fc.boolean(),
  active: fc.boolean(),
  escalationTypes: fc.subarray([...escalationTypes], { minLength: 1 }),
  escalatedSinceMs: time,
  discoveredSinceMs: time,
  discoveredBeforeMs: time,
  changedSinceMs: time,
  changedBeforeMs: time,
  search: fc.constantFrom('b', 'bücher', 'xn--', '.net'),
};

/** At most two filters: more would match nothing. */
export const query = fc
  .subarray(Object.keys(filters) as (keyof typeof filters)[], { maxLength: 2 })
  .chain((chosen) => {
    const wanted = Object.fromEntries(chosen.map((key) => [key, filters[key]]));
    return fc.record({ ...order, ...(wanted as Partial<typeof filters>) });
  });
