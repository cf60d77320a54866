import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { permissions } from '../../../src/model/account/permission.ts';
import type { SignOnRules } from '../../../src/model/person/identity-provider.ts';
import {
  claimsOf,
  findTrustedEmail,
  findVerifiedEmail,
  permissionsFor,
  suggestName,
} from '../../../src/model/person/sign-on-claims.ts';

const rulesOf = (more: Partial<SignOnRules>): SignOnRules => ({
  permissions: [],
  createsPeople: true,
  nameClaim: '',
  emailDomains: [],
  ...more,
});

test('claims of any shape become names with texts, members of objects by dots', () => {
  const claims = claimsOf({
    sub: 'a',
    age: 7,
    ok: true,
    groups: ['x', 1, null],
    realm: { roles: ['r'] },
    none: null,
  });
  assert.deepEqual(
    [...claims],
    [
      ['sub', ['a']],
      ['age', ['7']],
      ['ok', ['true']],
      ['groups', ['x', '1']],
      ['realm.roles', ['r']],
    ],
  );
});

test('claims are bounded, whatever a provider sends', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 8 }), (source) => {
      const claims = claimsOf(source);
      assert.ok(claims.size <= 200);
      for (const [name, texts] of claims)
        assert.ok(name.length <= 1000 && texts.every((text) => text.length <= 1000));
    }),
  );
  assert.equal(claimsOf({ groups: Array.from({ length: 5000 }, String) }).get('groups')?.length, 1000);
  assert.equal(
    claimsOf(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`c${at}`, 'x']))).size,
    200,
  );
});

test('the permissions of all matching rules are joined, in their usual order', () => {
  const rules = rulesOf({
    permissions: [
      { claim: 'groups', value: 'leads', permissions: ['manage'] },
      { claim: 'groups', value: 'analysts', permissions: ['triage', 'read'] },
      { claim: 'role', value: 'x', permissions: ['admin'] },
    ],
  });
  assert.deepEqual(permissionsFor(claimsOf({ groups: ['analysts', 'leads'] }), rules), [
    'read',
    'triage',
    'manage',
  ]);
});

test('a value matches whole and in its case, never as a part', () => {
  const rules = rulesOf({ permissions: [{ claim: 'groups', value: 'admins', permissions: ['admin'] }] });
  for (const groups of [['Admins'], ['admins2'], ['admins,users'], [' admins'], []])
    assert.equal(permissionsFor(claimsOf({ groups }), rules), undefined);
});

test('without a match somebody gets the default, or nothing where there is none', () => {
  assert.equal(permissionsFor(new Map(), rulesOf({})), undefined);
  assert.deepEqual(permissionsFor(new Map(), rulesOf({ otherwise: ['read'] })), ['read']);
});

test('what rules give is never more than they name', () => {
  const rule = fc.record({
    claim: fc.constantFrom('a', 'b'),
    value: fc.constantFrom('x', 'y'),
    permissions: fc.subarray([...permissions], { minLength: 1 }),
  });
  const claims = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.subarray(['x', 'y', 'z']));
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), claims, (given, said) => {
      const expected = new Set(
        given
          .filter(({ claim, value }) => said[claim]?.includes(value as never))
          .flatMap((one) => one.permissions),
      );
      const found = permissionsFor(claimsOf(said), rulesOf({ permissions: given })) ?? [];
      assert.deepEqual(new Set(found), expected);
    }),
  );
});

test('an address counts as verified only by the claim that says so, and only in a trusted domain', () => {
  const rules = rulesOf({ emailDomains: ['Corp.example'] });
  const email = 'Ann@corp.example';
  assert.equal(findTrustedEmail(claimsOf({ email, email_verified: true }), rules, 'oidc'), email);
  assert.equal(findTrustedEmail(claimsOf({ email }), rules, 'oidc'), undefined);
  assert.equal(findTrustedEmail(claimsOf({ email, email_verified: false }), rules, 'oidc'), undefined);
  assert.equal(findTrustedEmail(claimsOf({ mail: email }), rules, 'saml'), email);
  for (const other of [
    'ann@sub.corp.example',
    'ann@evilcorp.example',
    'ann@corp.example.evil',
    '"x@corp.example"@evil.example',
  ])
    assert.equal(
      findTrustedEmail(claimsOf({ email: other, email_verified: true }), rules, 'oidc'),
      undefined,
      other,
    );
});

test('a person is named after the first claim that can be a name here', () => {
  assert.equal(suggestName(claimsOf({ preferred_username: 'ann', email: 'a@b.example' }), ''), 'ann');
  assert.equal(
    suggestName(claimsOf({ preferred_username: 'Ann Lee', email: 'a@b.example' }), ''),
    'a@b.example',
  );
  assert.equal(suggestName(claimsOf({ preferred_username: 'ann', code: 'x7' }), 'code'), 'x7');
  assert.equal(suggestName(claimsOf({ preferred_username: 'ann' }), 'code'), undefined);
  assert.equal(suggestName(claimsOf({ preferred_username: '../evil' }), ''), undefined);
  assert.equal(findVerifiedEmail(claimsOf({ email: 'no address' }), 'saml'), undefined);
});
