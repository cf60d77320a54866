/** What the killed producer appends, and a check that nothing is lost, torn or duplicated. */
import assert from 'node:assert/strict';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import type { Lines } from '../../../../src/store/stream-store.ts';
import { contentOf } from '../../../conformance/stream-store.ts';

export const producer = 'crash';

export function numberOf(mark: string | undefined): number {
  return Number(mark ?? 0);
}

function line(number: number): string {
  return `{"number":${number},"text":"${'x'.repeat((number * 37) % 300)}"}\n`;
}

/** Two streams, one of them with two lines. Three appends make a minute. */
export function numberedLines(number: number): Lines[] {
  return [
    { stream: 'ch1', bytes: Buffer.from(line(number)) },
    { stream: 'ch2', bytes: Buffer.from(line(number) + line(number)) },
  ];
}

/**
 * Asserts that everything up to the producer mark is stored exactly once, nothing beyond it, including all confirmed
 * appends.
 */
export async function checkStreams(directory: string, confirmed: number): Promise<number> {
  const faults: string[] = [];
  const store = openStreamStore(directory, (fault) => faults.push(fault));
  try {
    const done = numberOf(await store.findProducerMark(producer));
    assert.ok(done >= confirmed, `${confirmed} were confirmed, ${done} are there`);
    const numbers = Array.from({ length: done }, (_, number) => number);
    assert.equal(await contentOf(store, 'ch1'), numbers.map(line).join(''));
    assert.equal(
      await contentOf(store, 'ch2'),
      numbers.map((number) => line(number) + line(number)).join(''),
    );
    assert.equal((await store.findState('ch2'))?.lines ?? 0, 2 * done);
    // The first write runs recovery, which must find no damage.
    await store.removeIdleProducerMarks('none', 0);
    assert.deepEqual(faults, []);
    return done;
  } finally {
    await store.close();
  }
}
