import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refreshSoon } from '../../../src/product/detect/blocklist/refresh-soon.ts';

const refreshing = (refresh: () => Promise<void>) => ({ refreshSelections: refresh });

test('a blocklist that takes long to fill is not waited for, and its later failure ends nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { promise, reject } = Promise.withResolvers<void>();
  const soon = refreshSoon(
    refreshing(() => promise),
    'account',
    0,
  );
  t.mock.timers.tick(10_000);
  await soon;
  reject(new Error('late'));
});

test('a refresh that fails at once fails the caller', async () => {
  const failing = refreshing(() => Promise.reject(new Error('disk')));
  await assert.rejects(refreshSoon(failing, 'account', 0), /disk/);
});
