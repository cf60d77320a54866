/** Opens an input file; `-` means standard input. */
import { createReadStream, type Stats, statSync } from 'node:fs';
import { Problem } from '../../model/problem.ts';

export interface InputFile {
  /** Undefined for standard input. */
  readonly stat: Stats | undefined;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

export function openInput(file: string): InputFile {
  if (file === '-') return { stat: undefined, bytes: () => process.stdin };
  return { stat: statOf(file), bytes: () => createReadStream(file, { highWaterMark: 1 << 20 }) };
}

function statOf(file: string): Stats {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) throw new Problem('not-found', `there is no file ${file}`);
  if (stat.isDirectory()) throw new Problem('not-found', `${file} is a directory`);
  return stat;
}
