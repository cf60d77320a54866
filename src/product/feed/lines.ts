/** Lines of a feed, one by one. */
import type { ReadRecord } from './record-filter.ts';

const newline = 10;
const quote = 34;
const head = '{"timestamp":"';
const timestampLength = 'YYYY-MM-DDThh:mm:ssZ'.length;

/** Each with its newline, as a view of the same memory. */
export function* linesOf(bytes: Uint8Array): Generator<Buffer, void, undefined> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf(newline, start) + 1 || buffer.length;
    yield buffer.subarray(start, end);
    start = end;
  }
}

/** Our own lines begin with their time; of any other the JSON is read. */
export function timestampOf(line: Buffer): string {
  const end = head.length + timestampLength;
  if (line[end] === quote && line.toString('latin1', 0, head.length) === head) {
    return line.toString('latin1', head.length, end);
  }
  return String(recordOf(line)['timestamp'] ?? '');
}

/** A line that is no JSON object is a record that knows nothing. */
export function recordOf(line: Buffer): ReadRecord {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as ReadRecord) : {};
  } catch {
    return {};
  }
}
