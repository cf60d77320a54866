import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressCooldowns } from '../../../src/pipeline/address-scoring/address-cooldowns.ts';

const [manyRows, cooldownMs, dayMs] = [100_000, 1_000_000, 86_400_000];

test('an address waits in proportion to the rows that were read', () => {
  const cooldowns = new AddressCooldowns();
  cooldowns.record('192.0.2.1', manyRows, 0);
  assert.deepEqual(
    [cooldowns.findEndMs('192.0.2.1', cooldownMs - 1), cooldowns.findEndMs('192.0.2.1', cooldownMs)],
    [cooldownMs, undefined],
  );
});

test('an address scored while the clock was a day ahead may be scored when the clock is set back', () => {
  const cooldowns = new AddressCooldowns();
  cooldowns.record('192.0.2.1', manyRows, dayMs);
  assert.equal(cooldowns.findEndMs('192.0.2.1', 0), undefined);
});
