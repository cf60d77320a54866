/**
 * How data comes in: names through discovery, domains through the collectors, certificates out of their logs. Each beside what this machine
 * does at best with the least of the same, in the same run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchCertificates } from './pipeline/certificates.ts';
import { benchCollections } from './pipeline/collections.ts';
import { benchNames } from './pipeline/names.ts';

export async function bench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  try {
    await benchNames(directory);
    await benchCollections(directory);
    await benchCertificates();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
