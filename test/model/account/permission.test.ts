import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Permission, permissions, permits } from '../../../src/model/account/permission.ts';

const allowedBy = (held: readonly Permission[]) => permissions.filter((needed) => permits(held, needed));

test('there are exactly six permissions', () => {
  assert.deepEqual(permissions, ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin']);
});

const holders: readonly (readonly [held: readonly Permission[], allowed: readonly Permission[]])[] = [
  [[], ['read']],
  [['read'], ['read']],
  [['triage'], ['read', 'triage']],
  [['escalate'], ['read', 'escalate']],
  [['manage'], ['read', 'manage']],
  [['ingest'], ['ingest']],
  [
    ['ingest', 'read'],
    ['read', 'ingest'],
  ],
  [['admin'], ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin']],
  [
    ['triage', 'manage'],
    ['read', 'triage', 'manage'],
  ],
];
for (const [held, allowed] of holders) {
  test(`a user with [${held.join(', ')}] may do what needs ${allowed.join(', ')}, and nothing else`, () => {
    assert.deepEqual(allowedBy(held), allowed);
  });
}
