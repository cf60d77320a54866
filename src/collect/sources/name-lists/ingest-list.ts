/** Ingests the names of one file in batches. Each batch carries the line to resume from, so a kill costs one batch at most. */
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import { readLines } from '../../input/lines.ts';
import { namesOfLine } from './names-of-line.ts';

export interface ListNeeds {
  /** Lines ingested before. */
  readonly linesDone: number;
  readonly signal: AbortSignal;
  /** Durable when it resolves: the names, and the number of lines ingested. */
  readonly ingest: (names: readonly string[], linesDone: number) => Promise<void>;
}

const batchNames = 5000;
/** Moves the checkpoint even where lines hold no names. */
const batchLines = 100_000;

export async function ingestList(bytes: AsyncIterable<Uint8Array>, needs: ListNeeds): Promise<void> {
  const { linesDone, signal, ingest } = needs;
  let names: string[] = [];
  let [line, done] = [0, linesDone];
  const flush = async () => {
    if (line > done) await ingest(names, line);
    [names, done] = [[], Math.max(line, done)];
  };
  for await (const { lines } of readLines(bytes)) {
    signal.throwIfAborted();
    for (const text of lines) {
      const found = line < linesDone || text === undefined ? [] : namesOfLine(text);
      if (names.length + found.length > batchNames) await flush();
      names.push(...found);
      line += 1;
    }
    if (line - done >= batchLines) await flush();
    await yieldToEventLoop();
  }
  await flush();
}
