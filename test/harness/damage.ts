/** Damages stored files, and collects what verification finds. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Damage } from '../../src/store/damage.ts';

/** A second call restores the file. */
export function flipBit(path: string, at: number, bit = 0): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  writeFileSync(path, bytes);
}

export async function damageIn(verification: AsyncIterable<Damage>): Promise<Damage[]> {
  const found: Damage[] = [];
  for await (const { file, offset, problem } of verification) found.push({ file, offset, problem });
  return found;
}
