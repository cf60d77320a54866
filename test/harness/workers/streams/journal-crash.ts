/** What the killed process appends by way of the journal, and a check that nothing is lost, torn or duplicated. */
import assert from 'node:assert/strict';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import { contentOf } from '../../../conformance/stream-store.ts';
import { damageIn } from '../../damage.ts';

export function journaledLine(number: number): string {
  return `{"number":${number},"text":"${'x'.repeat((number * 37) % 300)}"}\n`;
}

/** Asserts that all acknowledged lines are there, in order and once, and after each crash at most one more. Gives how many there are. */
export async function checkJournaled(
  directory: string,
  stream: string,
  acknowledged: number,
): Promise<number> {
  const faults: string[] = [];
  const store = openStreamStore(directory, (fault) => faults.push(fault));
  try {
    const content = await contentOf(store, stream);
    const done = content.split('\n').length - 1;
    assert.ok(
      done === acknowledged || done === acknowledged + 1,
      `${acknowledged} were acknowledged, not ${done}`,
    );
    assert.equal(content, Array.from({ length: done }, (_, number) => journaledLine(number)).join(''));
    assert.equal((await store.findState(stream))?.lines ?? 0, done);
    // The first write runs recovery, which must find no damage.
    await store.removeIdleProducerMarks('none', 0);
    assert.deepEqual([faults, await damageIn(store.verify())], [[], []]);
    return done;
  } finally {
    await store.close();
  }
}
