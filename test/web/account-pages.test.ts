import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseSearch, stringifySearch } from '../../web/src/data/address.ts';
import { auditSearch } from '../../web/src/pages/account/audit/audit-search.ts';
import { detailLines } from '../../web/src/pages/account/audit/detail-lines.ts';
import {
  dayOf,
  expiryTime,
  findPreset,
  presetNames,
  readAddresses,
  readChannels,
} from '../../web/src/pages/account/keys/key-presets.ts';
import { keysSearch } from '../../web/src/pages/account/keys/keys-search.ts';
import { peopleSearch } from '../../web/src/pages/account/people/people-search.ts';
import { roleNames, roleOf, roles } from '../../web/src/pages/account/people/roles.ts';
import { quotaSearch } from '../../web/src/pages/account/quota/quota-search.ts';

const anySearch = fc.dictionary(
  fc.constantFrom('do', 'key', 'person', 'by', 'as', 'actor', 'kind', 'before', 'x'),
  fc.oneof(
    fc.constantFrom('new', 'test', 'change', 'reset', 'delete', 'invite', 'remove', 'user', 'table', '7', ''),
    fc.string(),
    fc.array(fc.string(), { maxLength: 2 }),
  ),
);

for (const [name, read] of Object.entries({ auditSearch, keysSearch, peopleSearch, quotaSearch })) {
  test(`${name}: what an address says is written into it again and read back the same`, () => {
    fc.assert(
      fc.property(anySearch, (raw) => {
        const state = read(raw);
        assert.deepEqual(read(parseSearch(stringifySearch({ ...state }))), state);
      }),
    );
  });
}

test('a dialog about a key or a person needs one', () => {
  assert.deepEqual(keysSearch({ do: 'reset' }), {});
  assert.deepEqual(keysSearch({ do: 'new', key: 'x' }), { do: 'new' });
  assert.deepEqual(peopleSearch({ do: 'remove' }), {});
  assert.deepEqual(auditSearch({ before: '-1', kind: 'key' }), { kind: 'key' });
});

const everything = {
  products: ['account-information', 'intel-detect-monitors', 'intel-enrich', 'intel-investigate'],
  passive_dns: true,
  channels: 'all',
} as const;

test('a preset gives what it is for and no more, and is left out where the account has nothing to give', () => {
  const grants = Object.fromEntries(presetNames.map((name) => [name, findPreset(name, everything)]));
  assert.deepEqual(grants['siem'], {
    permissions: ['read'],
    products: null,
    passiveDns: false,
    channels: null,
  });
  assert.deepEqual(grants['detect']?.products, everything.products.slice(0, 3));
  assert.deepEqual([grants['pdns']?.products, grants['pdns']?.passiveDns], [['account-information'], true]);
  assert.equal(grants['batch']?.channels, '');
  assert.equal(grants['full']?.permissions.includes('admin'), false);
  const nothing = { ...everything, passive_dns: false, channels: null };
  assert.deepEqual(
    presetNames.filter((name) => findPreset(name, nothing) !== undefined),
    ['siem', 'detect', 'full'],
  );
});

test('an expiry is a number of days, the end of a day, or never', () => {
  const nowMs = Date.parse('2026-03-04T10:00:00Z');
  assert.equal(expiryTime({ choice: '90', date: '' }, nowMs), '2026-06-02T10:00:00.000Z');
  assert.equal(expiryTime({ choice: 'never', date: '2026-05-01' }, nowMs), null);
  assert.equal(expiryTime({ choice: 'date', date: '' }, nowMs), undefined);
  const end = expiryTime({ choice: 'date', date: '2026-05-01' }, nowMs);
  assert.equal(dayOf(end ?? ''), '2026-05-01');
});

test('channels and addresses are read as people separate them', () => {
  assert.deepEqual(readChannels(' 204, 212 '), [204, 212]);
  assert.equal(readChannels(' '), 'all');
  assert.equal(readChannels('204, x'), undefined);
  assert.deepEqual(readAddresses('192.0.2.1\n 192.0.2.0/24,::1\n192.0.2.1'), [
    '192.0.2.1',
    '192.0.2.0/24',
    '::1',
  ]);
});

test('a role is recognized by what its permissions mean, in any order', () => {
  for (const role of roleNames) assert.equal(roleOf(roles[role].toReversed()), role);
  assert.equal(roleOf(['triage']), 'analyst');
  assert.equal(roleOf(['read', 'admin', 'ingest']), 'admin');
  assert.equal(roleOf(['ingest']), undefined);
  assert.equal(roleOf(['manage']), undefined);
});

test('the details of an entry are lines, without members that say nothing', () => {
  const detail = { permissions: ['read', 'triage'], channels: [], email: null, pdns: { quota: 5 }, n: 0 };
  assert.deepEqual(detailLines(JSON.stringify(detail)), [
    'permissions: read, triage',
    'pdns: {"quota":5}',
    'n: 0',
  ]);
  assert.deepEqual(detailLines('not json'), ['not json']);
  const many = detailLines(JSON.stringify({ domains: Array.from({ length: 20 }, (_, index) => index) }));
  assert.match(many[0] ?? '', /, 11, …$/);
});
