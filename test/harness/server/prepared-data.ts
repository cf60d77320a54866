/** Empty databases, migrated once per process and copied for every server: migrations would be most of what a small test costs. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/store/embedded/database.ts';
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
  // What belongs to the secret is made anew for every server.
  for (const file of ['accounts.db', 'accounts.db-crc', 'secret.key']) rmSync(join(data, file));
  openDatabase(join(data, 'accounts.db'), 'accounts', 'full').close();
  return data;
}
