import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotlistKind } from '../../../src/pipeline/scoring/hotlist.ts';
import { scoreAll, scoringWorld } from '../../harness/fixtures/scoring-fixture.ts';

test('a worker of a node without passive DNS leaves the jobs that read it to the node that has it', async () => {
  const world = scoringWorld();
  const { jobs, clock } = world;
  await jobs.enqueue([{ kind: hotlistKind, subject: 'left.example', dueMs: clock.now() }]);
  await scoreAll({ ...world, rrsets: undefined });
  assert.equal((await jobs.statistics(hotlistKind, clock.now())).due, 1);
  await scoreAll(world);
  assert.equal((await jobs.statistics(hotlistKind, clock.now())).due, 0);
});
