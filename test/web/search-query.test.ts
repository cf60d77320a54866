/** Chips, parameters and the query language are three ways to write one search. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { SearchContext } from '../../src/product/investigate/search-parameter.ts';
import { findParameter, namedParameters } from '../../src/product/investigate/search-parameters.ts';
import { conditionOfSearch } from '../../src/product/investigate/search-text.ts';
import { type Condition, filterNames, listNames, valueIs } from '../../web/src/query/condition.ts';
import { parseConditions, writeConditions } from '../../web/src/query/query-text.ts';
import {
  conditionsOf,
  narrowed,
  queryOf,
  textOf,
  withoutCondition,
} from '../../web/src/query/search-query.ts';
import { typedCondition } from '../../web/src/query/typed-condition.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const context: SearchContext = {
  accountId: 'a',
  userId: 'u',
  nowMs: Date.UTC(2026, 10, 16),
  domainsMax: 100,
};

/** A valid value of each parameter. */
const valueOf: Readonly<Record<string, string>> = {
  domain: 'one.example',
  ip: '192.0.2.7',
  nameserver_ip: '192.0.2.7',
  mailserver_ip: '192.0.2.7',
  asn: '64500',
  email: 'a@b.example',
  email_dns_soa: 'a@b.example',
  ssl_email: 'a@b.example',
  historical_email: 'a@b.example',
  ssl_hash: 'ab'.repeat(20),
  ssl_duration: '90',
  contact_phone: '+1 555 0100',
  active: 'true',
  create_date: '>=2026-01-02',
  create_date_within: '7',
  expiration_date: '2027-01-02',
  first_seen_since: '2026-11-01T00:00:00Z',
  first_seen_within: '3600',
  data_updated_after: '2026-11-01T00:00:00Z',
  ip_country_code: 'de',
  rank: '1000',
  risk_score: '70',
  ssl_not_after: '2027-01-02',
  ssl_not_before: '2026-01-02',
  tld: 'example',
};

for (const { name } of namedParameters) {
  test(`${name} means the same as a parameter and in the query language`, () => {
    const value = valueOf[name] ?? 'ns1.host.example';
    const query = { parameters: { registrar: ['Base, Inc.'], [name]: [value] } };
    const pairs = Object.entries(query.parameters).flatMap(([field, values]) =>
      values.map((one) => [field, one] as const),
    );
    assert.deepEqual(
      conditionOfSearch({ query: textOf(query) }, context),
      conditionOfSearch({ parameters: pairs }, context),
    );
    assert.deepEqual(queryOf(conditionsOf(query) ?? []), query, 'and comes back from its chips');
  });
}

test('the app knows which parameters are filters', () => {
  const filters = namedParameters.filter(({ role }) => role === 'filter').map(({ name }) => name);
  assert.deepEqual([...filterNames].sort(), filters.sort());
  for (const name of listNames) assert.ok(findParameter(name), name);
});

const text = fc
  .string({ minLength: 1, maxLength: 30, unit: anyCharacter })
  .filter((one) => one.trim() !== '');
const conditions: fc.Arbitrary<Condition> = fc.record(
  {
    field: fc.constantFrom(
      'registrar',
      'risk_score',
      'first_seen',
      'registrant',
      'create_date',
      'parsed_whois:registrar',
      'domain',
    ),
    not: fc.boolean(),
    comparison: fc.constantFrom('=', 'contains', '>', '>=', '<', '<=', 'within'),
    value: text,
  },
  { noNullPrototype: true },
);

test('conditions to text to conditions is the identity, whatever a value contains', () => {
  fc.assert(
    fc.property(fc.array(conditions, { minLength: 1, maxLength: 6 }), (many) => {
      assert.deepEqual(parseConditions(writeConditions(many)), many);
    }),
  );
});

test('any text at all is read as conditions or as none', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (any) => void parseConditions(any)));
  for (const unclosed of [
    'registrar = "x',
    'registrar =',
    '= x',
    '(registrar = x',
    'registrar = x OR tld = y',
    '',
    'not',
    '!',
  ])
    assert.equal(parseConditions(unclosed), undefined, unclosed);
});

test('brackets that change nothing, comments, words for signs and any case are read', () => {
  const ql = '# NameglassQL-1.0\n(registrar equals x AND (TLD = orb)) and NOT (server_type = "a \\"b\\"")';
  assert.deepEqual(parseConditions(ql), [
    valueIs('registrar', 'x'),
    valueIs('tld', 'orb'),
    valueIs('server_type', 'a "b"', true),
  ]);
});

test('an excluded value makes a query of the search, and without it there are parameters again', () => {
  const excluding = narrowed({ parameters: { registrar: ['Foo, Inc.'] } }, valueIs('tld', 'orb', true));
  assert.deepEqual(excluding, { ql: 'registrar = "Foo, Inc."\nAND tld != "orb"' });
  assert.deepEqual(withoutCondition(excluding, 1), { parameters: { registrar: ['Foo, Inc.'] } });
});

test('a value that is excluded and then wanted is no longer excluded', () => {
  const excluding = narrowed({ parameters: { ip: ['192.0.2.1'] } }, valueIs('registrar', 'x', true));
  assert.deepEqual(narrowed(excluding, valueIs('registrar', 'x')), {
    parameters: { ip: ['192.0.2.1'], registrar: ['x'] },
  });
});

test('a search of filters alone is a query, which needs no base parameter', () => {
  const query = queryOf([valueIs('tld', 'orb')]);
  assert.deepEqual(query, { ql: 'tld = "orb"' });
  assert.ok(conditionOfSearch({ query: textOf(query) }, context));
});

test('a query with OR is narrowed as a whole', () => {
  const query = narrowed({ ql: '# comment\ntld = a OR tld = b' }, valueIs('registrar', 'x'));
  assert.deepEqual(query, { ql: '(\n# comment\ntld = a OR tld = b\n)\nAND registrar = "x"' });
  assert.ok(conditionOfSearch({ query: textOf(query) }, context));
  assert.equal(conditionsOf(query), undefined);
});

const isField = (name: string) => findParameter(name) !== undefined;

test('what is typed or pasted becomes a condition', () => {
  const rows: readonly (readonly [string, Condition | undefined])[] = [
    ['registrar=Ember & Ash', valueIs('registrar', 'Ember & Ash')],
    ['registrar != Ember & Ash', valueIs('registrar', 'Ember & Ash', true)],
    ['risk_score: 70', { field: 'risk_score', not: false, comparison: '>', value: '70' }],
    [
      'create_date >= 2026-01-01',
      { field: 'create_date', not: false, comparison: '>=', value: '2026-01-01' },
    ],
    ['hxxps://login[.]example/x', valueIs('domain', 'login.example')],
    [
      'one.example, two.example\nhxxp://three[.]example',
      valueIs('domain', 'one.example,two.example,three.example'),
    ],
    ['192.0.2[.]7', valueIs('ip', '192.0.2.7')],
    ['someone[@]mail.example', valueIs('email', 'someone@mail.example')],
    ['AB'.repeat(20), valueIs('ssl_hash', 'ab'.repeat(20))],
    ['ab'.repeat(16), undefined],
    ['just words', undefined],
    ['unknown_field=x y', undefined],
  ];
  for (const [typed, condition] of rows) assert.deepEqual(typedCondition(typed, isField), condition, typed);
});
