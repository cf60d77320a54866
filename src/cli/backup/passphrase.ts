/** Secrets that commands read from files: never from the command line, which other users can see. */
import { readFileSync } from 'node:fs';
import { fieldProblem } from '../../model/problem.ts';

const lengthMin = 12;

/** The first line of the file. */
export function readPassphrase(path: string): string {
  const passphrase = (readFileSync(path, 'utf8').split(/\r?\n/)[0] ?? '').normalize('NFC');
  if (passphrase.length >= lengthMin) return passphrase;
  const message = `the first line of ${path} must have at least ${lengthMin} characters`;
  throw fieldProblem('invalid-parameters', '--passphrase-file', message);
}

export function readSecretFile(path: string): string {
  const text = readFileSync(path, 'utf8').trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw fieldProblem('invalid-parameters', '--secret-from', `${path} must hold 64 hex digits`);
}
