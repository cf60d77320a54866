/** K-way merge of sorted label sequences with a binary heap, without duplicates. Input and output come in batches. */
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';

export type SortedLabels = AsyncIterable<readonly string[]>;

const batchLabels = 2048;

interface Cursor {
  readonly batches: AsyncIterator<readonly string[]>;
  batch: readonly string[];
  at: number;
}

export async function* mergeSorted(sequences: readonly SortedLabels[]): AsyncGenerator<readonly string[]> {
  const heap: Cursor[] = [];
  for (const sequence of sequences) {
    const cursor: Cursor = { batches: sequence[Symbol.asyncIterator](), batch: [], at: 0 };
    if (await refill(cursor)) heap.push(cursor);
  }
  for (let from = heap.length >> 1; from >= 0; from -= 1) sink(heap, from);
  let last: string | undefined;
  let merged: string[] = [];
  try {
    for (let least = heap[0]; least; least = heap[0]) {
      const label = headOf(least);
      if (label !== last) merged.push((last = label));
      least.at += 1;
      if (least.at === least.batch.length && !(await refill(least))) removeFirst(heap);
      else sink(heap, 0);
      if (merged.length < batchLabels) continue;
      yield merged;
      merged = [];
      await yieldToEventLoop();
    }
    if (merged.length > 0) yield merged;
  } finally {
    for (const { batches } of heap) await batches.return?.();
  }
}

function headOf({ batch, at }: Cursor): string {
  return batch[at] as string;
}

async function refill(cursor: Cursor): Promise<boolean> {
  do {
    const next = await cursor.batches.next();
    if (next.done === true) return false;
    cursor.batch = next.value;
    cursor.at = 0;
  } while (cursor.batch.length === 0);
  return true;
}

function removeFirst(heap: Cursor[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  sink(heap, 0);
}

function sink(heap: Cursor[], from: number): void {
  const cursor = heap[from];
  if (cursor === undefined) return;
  let at = from;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    if (left === undefined) break;
    const isRight = right !== undefined && headOf(right) < headOf(left);
    const child = isRight ? right : left;
    if (headOf(cursor) <= headOf(child)) break;
    heap[at] = child;
    at = 2 * at + (isRight ? 2 : 1);
  }
  heap[at] = cursor;
}
