/** Paths of segment files: a directory for each stream, a file for each minute, named after it in UTC. */
import { join } from 'node:path';
import { minuteMs } from '../../../model/durations.ts';
import { assertStreamName } from '../../stream/check-append.ts';
import type { StreamName } from '../../stream-store.ts';

const segmentName = /^(\d{4})(\d\d)(\d\d)\.(\d\d)(\d\d)\.ndjson$/;

export function streamDirectory(root: string, stream: StreamName): string {
  assertStreamName(stream);
  return join(root, stream);
}

export function segmentPath(root: string, stream: StreamName, minute: number): string {
  const text = new Date(minute * minuteMs).toISOString();
  const name = `${text.slice(0, 10).replaceAll('-', '')}.${text.slice(11, 16).replace(':', '')}.ndjson`;
  return join(streamDirectory(root, stream), name);
}

/** The minute of a segment from its file name; undefined for other files. */
export function minuteOf(file: string): number | undefined {
  const [, year, month, day, hour, minute] = segmentName.exec(file) ?? [];
  if (minute === undefined) return undefined;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) / minuteMs;
}
