/** Passes on what processes print, in whole lines, so that those of two processes do not mix. */
import type { Readable } from 'node:stream';

const newline = 0x0a;

export interface LineSink {
  /** False while it has more than it can write: then nothing is read until it resolves `drained`. */
  readonly write: (lines: string) => boolean;
  readonly drained: () => Promise<void>;
}

/** Resolves when the stream has ended and everything was passed on. */
export async function relayLines(stream: Readable, sink: LineSink): Promise<void> {
  let begun: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end === 0) {
      begun.push(chunk);
      continue;
    }
    const lines = Buffer.concat([...begun, chunk.subarray(0, end)]).toString();
    begun = end < chunk.length ? [chunk.subarray(end)] : [];
    if (!sink.write(lines)) await sink.drained();
  }
  // A process that was killed may leave a line without its end.
  if (begun.length > 0) sink.write(`${Buffer.concat(begun).toString()}\n`);
}
