/** What is learned from decisions: pure functions over what was decided. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isExcluded } from '../../../src/model/detect/exclusions.ts';
import type { DecidedDomain } from '../../../src/model/detect/suggestion.ts';
import type { Monitor } from '../../../src/model/detect/watchlist.ts';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';
import { precisionIn } from '../../../src/product/detect/learning/precision.ts';
import { suggestChanges } from '../../../src/product/detect/learning/suggest.ts';
import { wordsBeside } from '../../../src/product/detect/learning/words-beside.ts';

const monitor: Monitor = {
  id: 'M',
  term: 'acmebank',
  matchSubstringVariations: true,
  nameserverExclusions: [],
  textExclusions: [],
  createdMs: 0,
  updatedMs: 0,
  state: 'active',
  status: 'completed',
  createdBy: 'ann',
  searched: { names: 0, ofNames: 0 },
  declared: undefined,
};

function decided(domain: string, more: Partial<DecidedDomain> = {}): DecidedDomain {
  return {
    domain,
    state: 'ignored',
    isEscalated: false,
    nameServers: [],
    registrar: '',
    matches: [{ monitorId: 'M', class: 'combosquat' }],
    ...more,
  };
}

const many = (count: number, more: (at: number) => Partial<DecidedDomain> = () => ({})) =>
  Array.from({ length: count }, (_, at) => decided(`acmebank${at}.example`, more(at)));

const parked = { nameServers: ['ns1.parking.example', 'ns2.parking.example'] };

async function suggested(domains: readonly DecidedDomain[], of: Partial<Monitor> = {}): Promise<string[]> {
  const found = await suggestChanges(domains, [{ ...monitor, ...of }]);
  return found.map(({ kind, value, ignored, kept }) => `${kind} ${value} ${ignored}/${kept}`.trim());
}

test('name servers whose domains were all ignored are suggested as an exclusion', async () => {
  assert.deepEqual(await suggested(many(15, () => parked)), ['exclude-name-servers *.parking.example 15/0']);
});

test('fourteen ignored domains say too little', async () => {
  assert.deepEqual(await suggested(many(14, () => parked)), []);
});

test('one watched domain in fifty is accepted, and one in forty-nine is not', async () => {
  const withOneWatched = (count: number) =>
    many(count, (at) => ({ ...parked, state: at === 0 ? 'watched' : 'ignored' }));
  assert.equal((await suggested(withOneWatched(50))).length, 1);
  assert.equal((await suggested(withOneWatched(49))).length, 0);
});

test('what has an escalated domain is never suggested', async () => {
  const escalated = decided('acmebank.example', { ...parked, state: 'watched', isEscalated: true });
  assert.deepEqual(await suggested([...many(200, () => parked), escalated]), []);
});

test('an exclusion that the monitor has, and a monitor that is paused, have no suggestion', async () => {
  const domains = many(15, () => parked);
  assert.deepEqual(await suggested(domains, { nameserverExclusions: ['*.parking.example'] }), []);
  assert.deepEqual(await suggested(domains, { state: 'inactive' }), []);
});

test('domains with name servers of two providers suggest neither', async () => {
  const mixed = { nameServers: ['ns1.parking.example', 'ns1.other.example'] };
  assert.deepEqual(await suggested(many(15, () => mixed)), []);
});

test('a word that ignored names share is suggested as an excluded text', async () => {
  const fans = Array.from({ length: 20 }, (_, at) => decided(`acmebank-fanclub-${at}.example`));
  assert.deepEqual(await suggested(fans), ['exclude-text fanclub 20/0']);
});

test('an excluded text is counted inside words too', async () => {
  const fans = Array.from({ length: 20 }, (_, at) => decided(`acmebank-fans-${at}.example`));
  const inside = decided('acmebankfanshop.example', { state: 'watched' });
  assert.deepEqual(await suggested([...fans, inside]), []);
});

test('where only variations inside longer names were ignored, turning them off is suggested', async () => {
  const inside = Array.from({ length: 15 }, (_, at) => decided(`myacmebenkshop${at}.example`));
  assert.deepEqual(await suggested(inside), ['no-substring-variations  15/0']);
  assert.deepEqual(await suggested(inside, { matchSubstringVariations: false }), []);
});

test('words beside the term leave out what resembles it, short ones, digits and the public suffix', () => {
  const matcher = new Matcher([{ text: 'acmebank', substringVariations: true }]);
  assert.deepEqual([...wordsBeside('login.acmebenk-fan2club-of.co.uk', matcher)], ['login', 'club']);
});

test('the counts of a suggested exclusion are those of the domains that it leaves out', async () => {
  const labels = fc.constantFrom('acmebank', 'fans', 'club', 'shop', 'acmebankfans');
  const name = fc.array(labels, { minLength: 1, maxLength: 3 }).map((words) => `${words.join('-')}.example`);
  const host = fc.constantFrom('ns1.a.example', 'ns2.a.example', 'a.example', 'ns1.b.example');
  const domain = fc
    .record({
      domain: name,
      nameServers: fc.array(host, { maxLength: 2 }),
      state: fc.constantFrom('ignored' as const, 'ignored' as const, 'ignored' as const, 'watched' as const),
    })
    .map(({ domain: given, ...more }) => decided(given, more));
  await fc.assert(
    fc.asyncProperty(fc.array(domain, { minLength: 15, maxLength: 60 }), async (domains) => {
      for (const { kind, value, ignored, kept } of await suggestChanges(domains, [monitor])) {
        if (kind === 'no-substring-variations') continue;
        const exclusions = {
          nameserverExclusions: kind === 'exclude-name-servers' ? [value] : [],
          textExclusions: kind === 'exclude-text' ? [value] : [],
        };
        const left = domains.filter((one) => isExcluded(exclusions, [one.domain], one.nameServers));
        const count = (state: string) => left.filter((one) => one.state === state).length;
        assert.deepEqual([ignored, kept], [count('ignored'), count('watched')]);
      }
    }),
    { numRuns: 100 },
  );
});

test('precision is counted by monitor, class, registrar and name servers', async () => {
  const two = { monitorId: 'N', class: 'homoglyph' } as const;
  const found = await precisionIn(
    [
      decided('a.example', { ...parked, registrar: 'R' }),
      decided('b.example', { registrar: 'R', state: 'watched', isEscalated: true }),
      decided('c.example', { matches: [two, { ...two, monitorId: 'M' }], state: 'watched' }),
    ],
    10,
  );
  assert.deepEqual(found, {
    all: { kept: 2, escalated: 1, ignored: 1 },
    by: {
      monitor: [
        { value: 'M', kept: 2, escalated: 1, ignored: 1 },
        { value: 'N', kept: 1, escalated: 0, ignored: 0 },
      ],
      class: [
        { value: 'combosquat', kept: 1, escalated: 1, ignored: 1 },
        { value: 'homoglyph', kept: 1, escalated: 0, ignored: 0 },
      ],
      registrar: [{ value: 'R', kept: 1, escalated: 1, ignored: 1 }],
      name_server: [{ value: '*.parking.example', kept: 0, escalated: 0, ignored: 1 }],
    },
  });
});
