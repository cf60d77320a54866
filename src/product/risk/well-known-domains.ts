/** The list of well-known domains that comes with the package. */
import { readFileSync } from 'node:fs';
import { assetPath } from '../../asset-path.ts';

const file = assetPath('models/well-known-domains.txt');

/** Registrable domains. A domain below a suffix that unrelated users share, such as `acme.github.io`, is never one of them. */
export function readWellKnownDomains(): ReadonlySet<string> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}
