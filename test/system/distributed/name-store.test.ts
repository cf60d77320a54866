import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNameStore } from '../../../src/store/distributed/name/name-store.ts';
import { nameStoreConformance } from '../../conformance/name-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { fileScope } from '../../harness/test-scope.ts';

const server = await startPostgres(fileScope());
const seenMs = 1_800_000_000_000;

if (server) {
  nameStoreConformance('the distributed adapter', (t) => {
    const node = newNodes(server, ['names'], t);
    return () => openNameStore(node());
  });

  test('every domain that several nodes record at once is published once, in batches of rising numbers', async (t) => {
    const node = newNodes(server, ['names'], t);
    const [publisher, ...writers] = [1, 2, 3, 4].map(() => openNameStore(node()));
    assert.ok(publisher);
    const namesOf = (round: number) =>
      Array.from({ length: 40 }, (_, index) => `n${round * 20 + index}.test`);
    let isRecorded = false;
    const recorded = Promise.all(
      writers.map(async (store) => {
        for (let round = 0; round < 30; round += 1)
          await store.recordNames('one', namesOf(round).toReversed(), seenMs, { checkpoint: String(round) });
      }),
    ).finally(() => {
      isRecorded = true;
    });
    const [published, batches]: [string[], number[]] = [[], []];
    for (;;) {
      const isLast = isRecorded;
      const unpublished = await publisher.findUnpublished();
      if (!unpublished && isLast) break;
      if (!unpublished) continue;
      published.push(...unpublished.domains.map(({ domain }) => domain));
      batches.push(unpublished.batch);
      await publisher.markPublished(unpublished.batch);
    }
    await recorded;
    const all = new Set(Array.from({ length: 30 }, (_, round) => namesOf(round)).flat());
    assert.deepEqual(published.toSorted(), [...all].sort());
    assert.ok(
      batches.every((batch, index) => index === 0 || batch > (batches[index - 1] as number)),
      batches.join(' '),
    );
    assert.deepEqual(await publisher.statistics(), { domains: all.size, unpublished: 0 });
  });
} else test('the distributed name store', { skip: 'skipped: no PostgreSQL' }, () => undefined);
