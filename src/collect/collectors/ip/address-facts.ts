/** ASN, ISP and country of addresses: from files of the operator first, then from the packaged databases. */
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import { type AddressFacts, type FactColumns, FactTable } from './fact-table.ts';
import type { FactsCalls } from './facts-worker.ts';

export interface AddressLookup {
  find(address: string): AddressFacts;
}

/** Packaged data never changes, so the process reads it once. */
let packaged: Promise<readonly FactTable[]> | undefined;

/** Throws where a file cannot be read. */
export async function loadAddressFacts(files: readonly string[]): Promise<AddressLookup> {
  const own = files.length === 0 ? [] : await tablesOf((thread) => thread.run('facts', 'readFiles', files));
  packaged ??= tablesOf((thread) => thread.run('facts', 'readPackaged')).catch((error: unknown) => {
    packaged = undefined;
    throw error;
  });
  const tables = [...(await packaged), ...own];
  return {
    find: (address) => Object.assign({}, ...tables.map((table) => table.find(address))) as AddressFacts,
  };
}

/** The thread ends with the call, and its garbage with it: 35 MB remain of 150. */
async function tablesOf(
  read: (thread: WorkerClient<FactsCalls, 'facts'>) => Promise<readonly FactColumns[]>,
): Promise<readonly FactTable[]> {
  const thread = new WorkerClient<FactsCalls, 'facts'>({
    file: new URL('./facts-worker.ts', import.meta.url),
    workerData: undefined,
    owner: 'reading address files',
    finish: ['facts'],
  });
  try {
    return (await read(thread)).map((columns) => new FactTable(columns));
  } finally {
    await thread.close();
  }
}
