/** A reporter for `node --test`: of each file with a failing test its name and the end of what it wrote to standard error, as JSON, one a line. */
import { resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export interface FailedFile {
  readonly file: string;
  readonly lastErrors: string;
}

const keptLines = 25;

export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const [failed, errors] = [new Set<string>(), new Map<string, string>()];
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.file !== undefined) failed.add(data.file);
    if (type !== 'test:stderr') continue;
    // As it was given on the command line, which that of a failure is not.
    const file = resolve(data.file);
    errors.set(file, lastLines((errors.get(file) ?? '') + data.message));
  }
  for (const file of failed) {
    const entry: FailedFile = { file, lastErrors: errors.get(file) ?? '' };
    yield `${JSON.stringify(entry)}\n`;
  }
}

function lastLines(text: string): string {
  return text
    .split('\n')
    .slice(-keptLines - 1)
    .join('\n');
}
