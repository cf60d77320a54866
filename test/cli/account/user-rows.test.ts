import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userRows } from '../../../src/cli/account/user-rows.ts';
import type { Caller, PdnsGrant } from '../../../src/model/account/account.ts';

function rowsOf(pdns: PdnsGrant | undefined): Readonly<Record<string, string>> {
  const caller: Caller = {
    user: {
      id: 'u1',
      username: 'ann',
      permissions: ['read', 'triage'],
      apiOwner: false,
      createdMs: 0,
      hasBatchKey: false,
      channels: [204, 205, 206, 212],
      ...(pdns ? { pdns } : {}),
    },
    account: { id: 'a1', name: 'acme', active: true, products: [] },
  };
  return Object.fromEntries(userRows(caller));
}

const grant: PdnsGrant = { quota: { type: 'unlimited' }, allowedAddresses: [], apiVersions: [1, 2] };

test('account show writes lists and grants for people, and no JSON', () => {
  const rows = rowsOf(grant);
  assert.equal(rows['permissions'], 'read, triage');
  assert.equal(rows['api_owner'], 'no');
  assert.equal(rows['key_expires'], 'none');
  assert.equal(rows['pdns'], 'unlimited; versions 1, 2');
  for (const value of Object.values(rows)) assert.doesNotMatch(value, /[{}[\]"]/);
});

test('account show names quota, burst and addresses of passive DNS', () => {
  const daily = {
    ...grant,
    quota: { type: 'time', limit: 1000, period: 86_400 },
    burst: { size: 10, windowSeconds: 300 },
    allowedAddresses: ['192.0.2.0/24'],
  } as const;
  assert.equal(rowsOf(daily)['pdns'], '1000 per day; at most 10 in 300 s; from 192.0.2.0/24; versions 1, 2');
  const block = { ...grant, quota: { type: 'block', limit: 600, expiresMs: Date.UTC(2027, 0, 1) } } as const;
  assert.match(rowsOf(block)['pdns'] ?? '', /^600 in all until 2027-01-01T/);
  assert.equal(rowsOf(undefined)['pdns'], 'not authorized');
});
