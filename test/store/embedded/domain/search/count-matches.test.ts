import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkIds } from '../../../../../src/store/domain/id-chunk.ts';
import { countPart } from '../../../../../src/store/embedded/domain/search/count-matches.ts';
import {
  ListedIds,
  type MatchSource,
  NoneOf,
} from '../../../../../src/store/embedded/domain/search/match-source.ts';

const chunks = 20;
const lastId = chunks * chunkIds - 1;
/** Three in every second chunk. */
const ids = Array.from({ length: chunks / 2 }, (_, index) => index * 2 * chunkIds).flatMap((first) => [
  first + 1,
  first + 2,
  first + 70,
]);

function partsOf(source: MatchSource): readonly number[] {
  const parts: number[] = [];
  for (let chunk: number | undefined = 0; chunk !== undefined; ) {
    const part = countPart(source, lastId, chunk);
    parts.push(part.matches);
    chunk = part.nextChunk;
  }
  return parts;
}

test('a count in parts counts every match once', () => {
  assert.deepEqual(partsOf(new ListedIds(ids)), [24, 6]);
  const others = partsOf(new NoneOf(new ListedIds(ids), lastId));
  assert.equal(others.length, 3);
  assert.equal(
    others.reduce((sum, part) => sum + part),
    lastId - ids.length,
  );
  assert.deepEqual(partsOf(new ListedIds([])), [0]);
});
