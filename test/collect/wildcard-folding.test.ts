import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { foldingIntake, WildcardFolding } from '../../src/collect/wildcard-folding.ts';
import { nameText } from '../../src/model/dns/name.ts';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import { observation, rdata, wire } from '../harness/arbitraries/rrset-arbitraries.ts';
import { RecordingIntake } from '../harness/fixtures/recording-intake.ts';

const before = 32;
const [a, ns, aaaa, unknown] = [1, 2, 28, 65_280];

function seen(owner: string, more: Partial<Rrset> = {}): Rrset {
  return {
    origin: 'sensor',
    owner: wire(owner),
    type: a,
    bailiwick: wire('example.com'),
    rdata: [rdata(a, '192.0.2.1')],
    firstSeconds: 1_700_000_000,
    lastSeconds: 1_700_000_060,
    count: 3,
    ...more,
  };
}

const invented = (index: number, parent = 'example.com') => `q${index}x7k2v9z.${parent}`;

/** The owner after folding. */
const folded = (folding: WildcardFolding, owner: string, more: Partial<Rrset> = {}) =>
  nameText(folding.fold(seen(owner, more)).owner);

/** Has seen as many random names with one answer as are kept. */
function filled(more: Partial<Rrset> = {}, parent = 'example.com'): WildcardFolding {
  const folding = new WildcardFolding();
  for (let index = 0; index < before; index += 1) {
    const name = invented(index, parent);
    assert.equal(folded(folding, name, more), `${name}.`);
  }
  return folding;
}

test('the first random names with one answer stay, later ones are folded', () => {
  const folding = filled();
  assert.equal(folded(folding, invented(100)), '_WILDCARD_.example.com.');
  assert.equal(folded(folding, invented(101)), '_WILDCARD_.example.com.');
});

test('a name that was not folded is never folded', () => {
  const folding = filled();
  folded(folding, invented(100));
  for (const index of [0, before - 1]) assert.equal(folded(folding, invented(index)), `${invented(index)}.`);
});

test('a repeated name does not make a zone look like a wildcard', () => {
  const folding = new WildcardFolding();
  for (let time = 0; time < 100; time += 1) folded(folding, invented(1));
  assert.equal(folded(folding, invented(2)), `${invented(2)}.`);
});

test('folding changes only the owner, in a copy', () => {
  const given = seen(invented(100));
  assert.deepEqual(filled().fold(given), { ...given, owner: wire('_WILDCARD_.example.com') });
  assert.equal(nameText(given.owner), `${invented(100)}.`);
});

for (const label of [
  'www',
  'mail',
  'autodiscover',
  'downloads',
  'x1',
  'abc12',
  '_443k2v9z7',
  'xn--80ak6aa92e',
]) {
  test(`${label} counts as chosen by people and is never folded`, () => {
    assert.equal(folded(filled(), `${label}.example.com`), `${label}.example.com.`);
  });
}

for (const label of ['x8f3k2q9', '20260304101112', 'bcdfghjkl', 'ip-192-0-2-77', 'a1b2c3d4e5f6']) {
  test(`${label} counts as random`, () => {
    assert.equal(folded(filled(), `${label}.example.com`), '_WILDCARD_.example.com.');
  });
}

const others: readonly (readonly [what: string, owner: string, more: Partial<Rrset>])[] = [
  ['other data', invented(100), { rdata: [rdata(a, '192.0.2.2')] }],
  ['more data', invented(100), { rdata: [rdata(a, '192.0.2.1'), rdata(a, '192.0.2.2')] }],
  ['another type', invented(100), { type: aaaa, rdata: [rdata(aaaa, '2001:db8::1')] }],
  ['another bailiwick', invented(100), { bailiwick: wire('com') }],
  ['another parent', invented(100, 'sub.example.com'), {}],
];

for (const [what, owner, more] of others) {
  test(`${what} is a different answer`, () => assert.equal(folded(filled(), owner, more), `${owner}.`));
}

test('different rdata with equal concatenation are different answers', () => {
  const parts = ['\\# 2 6162', '\\# 1 61', '\\# 1 62', '\\# 3 612062'].map((text) => rdata(unknown, text));
  const [whole, first, second, spaced] = parts as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const folding = filled({ type: unknown, rdata: [first, second] });
  for (const one of [whole, spaced]) {
    assert.equal(folded(folding, invented(100), { type: unknown, rdata: [one] }), `${invented(100)}.`);
  }
});

test('the order of rdata does not matter', () => {
  const [one, other] = [rdata(a, '192.0.2.1'), rdata(a, '192.0.2.2')];
  const folding = filled({ rdata: [one, other] });
  const given = [other, one];
  assert.equal(folded(folding, invented(100), { rdata: given }), '_WILDCARD_.example.com.');
  assert.deepEqual(given, [other, one]);
});

test('registered names with the same name servers are never folded, nor are names of a zone file', () => {
  const servers = { type: ns, bailiwick: wire('com'), rdata: [rdata(ns, 'ns1.example.net.')] };
  const delegated = filled(servers, 'com');
  assert.equal(folded(delegated, invented(100, 'com'), servers), `${invented(100, 'com')}.`);
  const listed = filled({ origin: 'zone' });
  assert.equal(folded(listed, invented(100), { origin: 'zone' }), `${invented(100)}.`);
});

test('the oldest answer is evicted when too many are tracked', () => {
  const folding = filled();
  assert.equal(folded(folding, invented(100)), '_WILDCARD_.example.com.');
  for (let zone = 0; zone < 50_000; zone += 1) folding.fold(seen(invented(1, `z${zone}.example.net`)));
  assert.equal(folded(folding, invented(100)), `${invented(100)}.`);
});

test('a name whose folded form would be too long is not folded', () => {
  const label = 'x'.repeat(59);
  const parent = (more: number) => [label, label, label, `${label}${'y'.repeat(more)}`].join('.');
  const fits = filled({}, parent(3));
  assert.equal(folded(fits, invented(0, parent(3))).length, invented(0, parent(3)).length + 1);
  assert.match(folded(fits, `abc12345.${parent(3)}`), /^_WILDCARD_\./);
  const tooLong = new WildcardFolding();
  for (let index = 1; index <= before + 1; index += 1) {
    const name = `x9${1000 + index}kv.${parent(4)}`;
    assert.equal(folded(tooLong, name), `${name}.`);
  }
});

test('the root, and names that are views of a larger buffer, are read correctly', () => {
  const folding = filled();
  assert.equal(folded(folding, '.'), '.');
  const inside = Uint8Array.from([1, 2, 3, ...wire(invented(100)), 4, 5]).subarray(3, -2);
  assert.equal(nameText(folding.fold({ ...seen('.'), owner: inside }).owner), '_WILDCARD_.example.com.');
});

test('any observation is returned unchanged or with a folded name of the same zone', () => {
  const label = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'x', 'z', '0', '1', '9', '-', '_'),
    minLength: 1,
    maxLength: 12,
  });
  const labels = fc.array(label, { minLength: 40, maxLength: 200 });
  const observations = fc.tuple(observation, labels).map(([one, firsts]) =>
    firsts.map((first) => {
      const owner = Uint8Array.from([first.length, ...Buffer.from(first), ...one.owner]);
      return { ...one, owner };
    }),
  );
  fc.assert(
    fc.property(observations, (given) => {
      const folding = new WildcardFolding();
      for (const one of given) {
        const result = folding.fold(one);
        const parent = nameText(one.owner.subarray(1 + (one.owner[0] ?? 0)));
        const expected = [nameText(one.owner), `_WILDCARD_.${parent === '.' ? '' : parent}`];
        assert.ok(expected.includes(nameText(result.owner)));
        assert.deepEqual({ ...result, owner: one.owner }, one);
      }
    }),
    { numRuns: 30 },
  );
});

test('the folding intake forwards observations, backpressure and errors', async () => {
  const behind = new RecordingIntake();
  const intake = foldingIntake(behind);
  for (let index = 0; index <= before; index += 1) await intake.add(seen(invented(index)));
  assert.equal(behind.added.length, before + 1);
  assert.equal(nameText(behind.added.at(-1)?.owner ?? wire('.')), '_WILDCARD_.example.com.');
  const room = Promise.resolve();
  behind.room = () => room;
  assert.equal(intake.add(seen('www.example.com')), room);
  await intake.flush();
  assert.equal(behind.durable, before + 2);
});
