/** Compares with a file in `golden/`; `UPDATE_GOLDEN=1` writes it instead. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../../harness/server/command-line.ts';

const directory = join(import.meta.dirname, 'golden');

export function goldenText(args: readonly string[], { code, out, err }: Outcome): string {
  const stderr = err === '' ? '' : `--- standard error\n${err}`;
  return `$ nameglass ${args.map(shellWord).join(' ')}\n${out}${stderr}--- exit code ${code}\n`;
}

export function assertGolden(name: string, text: string): void {
  const file = join(directory, `${name}.txt`);
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, text);
    return;
  }
  assert.ok(existsSync(file), `${file} is missing; UPDATE_GOLDEN=1 writes it`);
  assert.equal(text, readFileSync(file, 'utf8'));
}

function shellWord(word: string): string {
  return /^[\w./:=,*-]+$/.test(word) ? word : `'${word}'`;
}
