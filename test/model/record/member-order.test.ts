import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { membersInOrder } from '../../../src/model/record/member-order.ts';

test('the list of members has those of the schema, in its order', () => {
  assert.deepEqual(membersInOrder, Object.keys(DomainRecord.properties));
});
