/** Splits and parses the lines of a feed. */
import type { ParsedRecord } from './record-filter.ts';

const newline = 10;
const quote = 34;
const head = '{"timestamp":"';
const timestampLength = 'YYYY-MM-DDThh:mm:ssZ'.length;

/** Each line with its newline, as a view of the same buffer. */
export function* linesOf(bytes: Uint8Array): Generator<Buffer, void, undefined> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf(newline, start) + 1 || buffer.length;
    yield buffer.subarray(start, end);
    start = end;
  }
}

export function lastLineOf(lines: Uint8Array): Buffer {
  const buffer = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  return buffer.subarray(buffer.length < 2 ? 0 : buffer.lastIndexOf(newline, buffer.length - 2) + 1);
}

/** The fast path is for lines that begin with the timestamp, as ours do; others are parsed. */
export function timestampOf(line: Buffer): string {
  const end = head.length + timestampLength;
  if (line[end] === quote && line.toString('latin1', 0, head.length) === head) {
    return line.toString('latin1', head.length, end);
  }
  return String(recordOf(line)['timestamp'] ?? '');
}

/** An empty record for a line that is not a JSON object. */
export function recordOf(line: Buffer): ParsedRecord {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as ParsedRecord) : {};
  } catch {
    return {};
  }
}
