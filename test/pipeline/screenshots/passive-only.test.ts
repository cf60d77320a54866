import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScreenshots } from '../../../src/pipeline/screenshots/start-screenshots.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { settingsOf, until } from '../../harness/fixtures/delivery-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

test('no screenshot of a passive-only domain is attempted, and its host is not even resolved', async (t) => {
  const clock = new TestClock();
  const stores = openEmbeddedStores({ data: temporaryDirectory(t), clock });
  await stores.opsec.setPassive('a1', { domain: 'quiet.example', by: 'ann', atMs: 1 }, 9);
  const subjects = ['quiet.example', 'loud.example'];
  await stores.jobs.enqueue(subjects.map((subject) => ({ kind: 'screenshot', subject, dueMs: clock.now() })));
  const resolved: string[] = [];
  const refuse = (what: string) => {
    resolved.push(what);
    return Promise.reject(new Error('nothing is connected here'));
  };
  const screenshots = startScreenshots({
    ...stores,
    settings: settingsOf({ 'screenshots.browser': '/bin/false' }),
    clock,
    dialer: { check: refuse, connect: ({ host }) => refuse(host) },
    onUnavailable: (reason) => assert.fail(reason),
    onFailure: () => undefined,
  });
  t.after(async () => {
    await screenshots.close();
    await stores.close();
  });
  await until(async () => {
    const { due, leased } = await stores.jobs.statistics('screenshot', clock.now());
    return due + leased === 0 && resolved.length > 0;
  });
  assert.deepEqual(resolved, ['http://loud.example']);
});
