/** The names of one file into the intake, in batches. Each batch comes with the line to go on after, so a kill costs one batch at most. */
import { setImmediate as turn } from 'node:timers/promises';
import { readLines } from '../../rrset-formats/lines.ts';
import { namesOfLine } from './names-of-line.ts';

export interface ListNeeds {
  /** Lines that were taken before. */
  readonly linesTaken: number;
  readonly signal: AbortSignal;
  /** Durable when it resolves: these names, and that so many lines are taken. */
  readonly take: (names: readonly string[], linesTaken: number) => Promise<void>;
}

const batchNames = 5000;
/** So that a list of comments, too, gets on. */
const batchLines = 100_000;

export async function takeList(bytes: AsyncIterable<Uint8Array>, needs: ListNeeds): Promise<void> {
  const { linesTaken, signal, take } = needs;
  let names: string[] = [];
  let [line, taken] = [0, linesTaken];
  const flush = async () => {
    if (line > taken) await take(names, line);
    [names, taken] = [[], Math.max(line, taken)];
  };
  for await (const { lines } of readLines(bytes)) {
    signal.throwIfAborted();
    for (const text of lines) {
      const found = line < linesTaken || text === undefined ? [] : namesOfLine(text);
      if (names.length + found.length > batchNames) await flush();
      names.push(...found);
      line += 1;
    }
    if (line - taken >= batchLines) await flush();
    await turn();
  }
  await flush();
}
