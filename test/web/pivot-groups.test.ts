/** What the domain page makes of a long list of shared values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pivot } from '../../web/src/data/domain.ts';
import { foreign, plain } from '../../web/src/data/foreign.ts';
import { groupPivots } from '../../web/src/pages/domain/pivot-groups.ts';

const pivot = (attribute: string, value: string, domains: number, names: readonly string[]): Pivot => ({
  attribute: foreign(attribute),
  value: foreign(value),
  domains,
  average_risk: 70,
  guided: true,
  first_names: names.map(foreign),
});

test('values that the same domains share are one group, with each value once under its plainest attribute', () => {
  const groups = groupPivots([
    pivot('admin_contact.name', 'Emmett Dunmore', 8, ['a.example']),
    pivot('ip.address', '192.0.2.1', 4, ['b.example']),
    pivot('registrant_name', 'Emmett Dunmore', 8, ['a.example']),
    pivot('admin_contact.phone', '15550128929', 8, ['a.example']),
  ]);
  assert.deepEqual(
    groups.map(({ domains, values }) => [
      domains,
      values.map(({ attribute, value }) => `${plain(attribute)} ${plain(value)}`),
    ]),
    [
      [8, ['registrant_name Emmett Dunmore', 'admin_contact.phone 15550128929']],
      [4, ['ip.address 192.0.2.1']],
    ],
  );
});

test('values shared by as many but other domains stay apart', () => {
  assert.equal(
    groupPivots([
      pivot('registrar', 'Ember', 4, ['a.example']),
      pivot('ip.address', '192.0.2.1', 4, ['b.example']),
    ]).length,
    2,
  );
});
