/**
 * Blocklists as part of watchlist.db: `blocklist_selection`, `blocklist_version`, `blocklist_member`, `blocklist_allowed`, `blocklist_tagged`.
 * Triggers note names whose state may have changed in `blocklist_pending`. Reads by key run in the main thread.
 */
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import { selectionOf } from '../../detect/blocklist/selection-state.ts';
import { sharedRefreshes } from '../../detect/blocklist/shared-refreshes.ts';
import type { BlocklistStore, SelectionKey } from '../../detect/blocklist-store.ts';
import type { Database } from '../database.ts';
import type { DetectCalls } from '../detect/detect-calls.ts';
import { AllowedNames } from './allowed-names.ts';
import { MemberRows } from './member-rows.ts';
import { SelectionRows } from './selection-rows.ts';
import { TaggedNames } from './tagged-names.ts';
import { Unrefreshed } from './unrefreshed.ts';
import { Versions } from './versions.ts';

type Threads = Pick<WorkerClient<DetectCalls, 'write'>, 'run' | 'on'>;

export function blocklistStore(database: Database, threads: Threads): BlocklistStore {
  const selections = new SelectionRows(database);
  const members = new MemberRows(database);
  const versions = new Versions(database);
  const allowed = new AllowedNames(database);
  const tagged = new TaggedNames(database);
  const unrefreshed = new Unrefreshed(database);
  const inOneTransaction = database.transaction(<Result>(work: () => Result) => work());
  /** Reads a version if it is kept, in the same transaction. */
  const atVersions = <Result>(
    key: SelectionKey,
    serials: readonly number[],
    read: (number: number) => Result,
  ) =>
    inOneTransaction(() => {
      const row = selections.find(key);
      if (!row || !serials.every((serial) => versions.has(row.number, serial))) return undefined;
      return read(row.number);
    }) as Result | undefined;

  return {
    refreshSelections: sharedRefreshes(
      async (accountId) => unrefreshed.has(accountId),
      (accountId, nowMs) => threads.run('write', 'refreshSelections', accountId, nowMs),
    ),
    listUnrefreshed: async () => unrefreshed.list(),
    async renewSerials(nowMs) {
      // Without any there is nothing to renew, and no need for a thread.
      if (selections.serials().length > 0 || unrefreshed.list().length > 0)
        await threads.run('write', 'renewSerials', nowMs);
    },
    listSelections: async (accountId) =>
      selections
        .ofAccount(accountId)
        .filter(({ deleted }) => deleted === 0)
        .map(selectionOf),
    listSerials: async () => selections.serials(),
    async findSelection(key) {
      const row = selections.find(key);
      return row && selectionOf(row);
    },
    putSelection: threads.on('write', 'putSelection'),
    deleteSelection: threads.on('write', 'deleteSelection'),
    async findSerial(key, lowBits) {
      const row = selections.find(key);
      return row && versions.find(row.number, lowBits);
    },
    listNames: async (key, serial, page) =>
      atVersions(key, [serial], (number) => members.listNames(number, serial, page)),
    listPeriods: async (key, serial, page) =>
      atVersions(key, [serial], (number) => members.listPeriods(number, serial, page)),
    listDifference: async (key, between, page) =>
      atVersions(key, [between.in, between.notIn], (number) => members.listDifference(number, between, page)),
    listAllowed: async (accountId) => allowed.list(accountId),
    changeAllowed: threads.on('write', 'changeAllowed'),
    listSelectedTags: async () => tagged.listSelected(),
    nextTagRound: async (accountId, tag) => tagged.nextRound(accountId, tag),
    putTagged: threads.on('write', 'putTagged'),
    removeUntagged: threads.on('write', 'removeUntagged'),
  };
}
