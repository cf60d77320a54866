/** What may be appended to a stream, in every adapter. */
import type { Lines, StreamName } from '../stream-store.ts';

const newline = 10;

export function assertStreamName(stream: StreamName): void {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(stream)) throw new Error(`${stream} is not a valid stream name`);
}

export function assertAppendable(lines: readonly Lines[]): void {
  for (const { stream, bytes } of lines) {
    assertStreamName(stream);
    assertWholeLines(bytes);
  }
}

/** Throws for an unfinished last line, which would join with the next append, and for empty lines. */
function assertWholeLines(bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  if (bytes.at(-1) !== newline) throw new Error('the last line has no newline');
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes[0] === newline || view.includes('\n\n')) throw new Error('a line is empty');
}
