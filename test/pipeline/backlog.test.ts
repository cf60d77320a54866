import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchBacklog } from '../../src/pipeline/backlog.ts';

const none = { connections: 0, frames: 0, observations: 0, errors: 0, ignored: 0, malformed: 0, refused: 0 };

test('there is a backlog while a resolver or the publisher is behind, and the first one is reported once', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let [resolversBehind, isPublisherBehind, reported] = [0, false, 0];
  const backlog = watchBacklog({
    sensor: { statistics: () => ({ ...none, behind: resolversBehind }) },
    publisher: { isBehind: () => isPublisherBehind },
    onFirst: () => (reported += 1),
  });
  t.after(() => backlog.close());
  t.mock.timers.tick(5000);
  assert.deepEqual([backlog.exists(), reported], [false, 0]);
  resolversBehind = 1;
  t.mock.timers.tick(1000);
  assert.deepEqual([backlog.exists(), reported], [true, 1]);
  [resolversBehind, isPublisherBehind] = [0, true];
  t.mock.timers.tick(5000);
  assert.deepEqual([backlog.exists(), reported], [true, 1]);
  isPublisherBehind = false;
  assert.equal(backlog.exists(), false);
});

test('a process without sensor and publisher has no backlog', (t) => {
  const backlog = watchBacklog({ sensor: undefined, publisher: undefined, onFirst: assert.fail });
  t.after(() => backlog.close());
  assert.equal(backlog.exists(), false);
});
