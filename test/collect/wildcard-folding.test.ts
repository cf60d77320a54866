import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { foldingIntake, WildcardFolding } from '../../src/collect/wildcard-folding.ts';
import { nameText } from '../../src/model/dns/name.ts';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import { RecordingIntake } from '../harness/recording-intake.ts';
import { observation, rdata, wire } from '../harness/rrset-arbitraries.ts';

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

/** What becomes of the owner. */
const folded = (folding: WildcardFolding, owner: string, more: Partial<Rrset> = {}) =>
  nameText(folding.fold(seen(owner, more)).owner);

/** Has seen as many invented names with one answer as stay what they are. */
function filled(more: Partial<Rrset> = {}, parent = 'example.com'): WildcardFolding {
  const folding = new WildcardFolding();
  for (let index = 0; index < before; index += 1) {
    const name = invented(index, parent);
    assert.equal(folded(folding, name, more), `${name}.`);
  }
  return folding;
}

test('the first invented names with one answer stay, those after them are one', () => {
  const folding = filled();
  assert.equal(folded(folding, invented(100)), '_WILDCARD_.example.com.');
  assert.equal(folded(folding, invented(101)), '_WILDCARD_.example.com.');
});

test('a name that stayed always stays', () => {
  const folding = filled();
  folded(folding, invented(100));
  for (const index of [0, before - 1]) assert.equal(folded(folding, invented(index)), `${invented(index)}.`);
});

test('the same name again does not make a zone look like a wildcard', () => {
  const folding = new WildcardFolding();
  for (let time = 0; time < 100; time += 1) folded(folding, invented(1));
  assert.equal(folded(folding, invented(2)), `${invented(2)}.`);
});

test('folding changes the owner and nothing else, and leaves what it was given as it was', () => {
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
  test(`${label} looks chosen by people and always stays`, () => {
    assert.equal(folded(filled(), `${label}.example.com`), `${label}.example.com.`);
  });
}

for (const label of ['x8f3k2q9', '20260304101112', 'bcdfghjkl', 'ip-192-0-2-77', 'a1b2c3d4e5f6']) {
  test(`${label} looks invented`, () => {
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
  test(`${what} is an answer of its own`, () => assert.equal(folded(filled(), owner, more), `${owner}.`));
}

test('data that reads alike when it is put in a row is not the same answer', () => {
  const parts = ['\\# 2 6162', '\\# 1 61', '\\# 1 62', '\\# 3 612062'].map((text) => rdata(unknown, text));
  const [whole, first, second, spaced] = parts as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const folding = filled({ type: unknown, rdata: [first, second] });
  for (const one of [whole, spaced]) {
    assert.equal(folded(folding, invented(100), { type: unknown, rdata: [one] }), `${invented(100)}.`);
  }
});

test('the order of the data does not matter', () => {
  const [one, other] = [rdata(a, '192.0.2.1'), rdata(a, '192.0.2.2')];
  const folding = filled({ rdata: [one, other] });
  const given = [other, one];
  assert.equal(folded(folding, invented(100), { rdata: given }), '_WILDCARD_.example.com.');
  assert.deepEqual(given, [other, one]);
});

test('registered names with the same name servers are never one, nor are the names of a zone file', () => {
  const servers = { type: ns, bailiwick: wire('com'), rdata: [rdata(ns, 'ns1.example.net.')] };
  const delegated = filled(servers, 'com');
  assert.equal(folded(delegated, invented(100, 'com'), servers), `${invented(100, 'com')}.`);
  const listed = filled({ origin: 'zone' });
  assert.equal(folded(listed, invented(100), { origin: 'zone' }), `${invented(100)}.`);
});

test('the answer seen first is forgotten when very many are watched', () => {
  const folding = filled();
  assert.equal(folded(folding, invented(100)), '_WILDCARD_.example.com.');
  for (let zone = 0; zone < 50_000; zone += 1) folding.fold(seen(invented(1, `z${zone}.example.net`)));
  assert.equal(folded(folding, invented(100)), `${invented(100)}.`);
});

test('a name that would be too long under the folded one stays', () => {
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

test('the root and names in the middle of other bytes are read as they are', () => {
  const folding = filled();
  assert.equal(folded(folding, '.'), '.');
  const inside = Uint8Array.from([1, 2, 3, ...wire(invented(100)), 4, 5]).subarray(3, -2);
  assert.equal(nameText(folding.fold({ ...seen('.'), owner: inside }).owner), '_WILDCARD_.example.com.');
});

test('whatever is observed comes back as it was or under a folded name of the same zone', () => {
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

test('an intake that folds hands on what it is given, and how the intake behind it fares', async () => {
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
