/** Empty databases, migrated once per process and copied for every server: migrations would be most of what a small test costs. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { TestClock } from '../test-clock.ts';

let prepared: Promise<string> | undefined;

export async function copyPreparedData(directory: string): Promise<void> {
  prepared ??= prepare();
  cpSync(await prepared, directory, { recursive: true });
}

async function prepare(): Promise<string> {
  const data = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-prepared-'));
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  await openEmbeddedStores({ data, clock: new TestClock() }).close();
  // Every server is an installation of its own, with its own secret.
  for (const file of ['accounts.db', 'accounts.db-crc', 'secret.key']) rmSync(join(data, file));
  return data;
}
