import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeenKeys } from '../../../src/collect/rrset-formats/seen-keys.ts';

test('recently added keys are present, and no others', () => {
  const keys = new SeenKeys();
  assert.ok(!keys.has('') && !keys.has('a'));
  const count = 200_000;
  for (let index = 0; index < count; index += 1) keys.add(`name${index}.example/2`);
  let known = 0;
  for (let index = 0; index < count; index += 1) {
    if (keys.has(`name${index}.example/2`)) known += 1;
    assert.ok(!keys.has(`name${index}.example/1`));
  }
  assert.ok(known > 0.9 * count);
  assert.ok(keys.has(`name${count - 1}.example/2`));
});
