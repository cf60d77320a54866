/**
 * Blocklists in PostgreSQL. Triggers note names whose state may have changed. A refresh is a series of transactions that each have the lock of the
 * account: nodes that refresh the same account at once share the work.
 */
import { selectedTags } from '../../detect/blocklist/candidate.ts';
import { selectionOf } from '../../detect/blocklist/selection-state.ts';
import { sharedRefreshes } from '../../detect/blocklist/shared-refreshes.ts';
import type { BlocklistStore, SelectionKey } from '../../detect/blocklist-store.ts';
import { changeAccount } from '../detect/account-lock.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { changeAllowed, listAllowed } from './allowed-names.ts';
import { listDifference, listNames, listPeriods } from './member-queries.ts';
import { refreshStep } from './refresh-step.ts';
import {
  deleteSelection,
  findSelection,
  listSelections,
  listSerials,
  listWideRules,
  putSelection,
} from './selection-rows.ts';
import { nextTagRound, putTagged, removeTaggedBefore } from './tagged-names.ts';
import { isUnrefreshed, listUnrefreshed } from './unrefreshed.ts';
import { findSerial, hasVersions, renewDrafts } from './versions.ts';

/** Rows of one transaction. */
const rowsPerStep = 500;

export function openBlocklistStore(database: PostgresDatabase): BlocklistStore {
  return { ...refreshing(database), ...selecting(database), ...reading(database), ...choosing(database) };
}

function refreshing(
  database: PostgresDatabase,
): Pick<BlocklistStore, 'refreshSelections' | 'listUnrefreshed' | 'renewSerials'> {
  const refreshSelections = sharedRefreshes(
    (accountId) => database.read((sql) => isUnrefreshed(sql, accountId)),
    async (accountId, nowMs) => {
      while (await changeAccount(database, accountId, (sql) => refreshStep(sql, accountId, nowMs)));
    },
  );
  const listAll = () => database.read(listUnrefreshed);
  return {
    refreshSelections,
    listUnrefreshed: listAll,
    async renewSerials(nowMs) {
      // Drafts of before the restore have serials of then.
      for (const accountId of await listAll()) await refreshSelections(accountId, nowMs);
      const accountIds = new Set((await database.read(listSerials)).map(({ accountId }) => accountId));
      for (const accountId of accountIds) {
        await changeAccount(database, accountId, (sql) => renewDrafts(sql, accountId, nowMs));
        await refreshSelections(accountId, nowMs);
      }
    },
  };
}

function selecting(
  database: PostgresDatabase,
): Pick<
  BlocklistStore,
  'listSelections' | 'listSerials' | 'findSelection' | 'putSelection' | 'deleteSelection'
> {
  return {
    async listSelections(accountId) {
      const rows = await database.read((sql) => listSelections(sql, accountId));
      return rows.filter(({ deleted }) => !deleted).map(selectionOf);
    },
    listSerials: () => database.read(listSerials),
    async findSelection(key) {
      const row = await database.read((sql) => findSelection(sql, key));
      return row && selectionOf(row);
    },
    putSelection: (key, rules, by) =>
      changeAccount(database, key.accountId, (sql) => putSelection(sql, key, rules, by)),
    deleteSelection: (key) => changeAccount(database, key.accountId, (sql) => deleteSelection(sql, key)),
  };
}

function reading(
  database: PostgresDatabase,
): Pick<BlocklistStore, 'findSerial' | 'listNames' | 'listPeriods' | 'listDifference'> {
  /** Reads a version if it is kept, all of one moment. */
  const atVersions = <Result>(
    key: SelectionKey,
    serials: readonly number[],
    read: (sql: Transaction, number: number) => Promise<Result>,
  ): Promise<Result | undefined> =>
    database.snapshot(async (sql) => {
      const row = await findSelection(sql, key);
      return row && (await hasVersions(sql, row.number, serials)) ? read(sql, row.number) : undefined;
    });
  return {
    findSerial: (key, lowBits) =>
      database.read(async (sql) => {
        const row = await findSelection(sql, key);
        return row && findSerial(sql, row.number, lowBits);
      }),
    listNames: (key, serial, page) =>
      atVersions(key, [serial], (sql, number) => listNames(sql, number, serial, page)),
    listPeriods: (key, serial, page) =>
      atVersions(key, [serial], (sql, number) => listPeriods(sql, number, serial, page)),
    listDifference: (key, versions, page) =>
      atVersions(key, [versions.in, versions.notIn], (sql, number) =>
        listDifference(sql, number, versions, page),
      ),
  };
}

function choosing(
  database: PostgresDatabase,
): Pick<
  BlocklistStore,
  'listAllowed' | 'changeAllowed' | 'listSelectedTags' | 'nextTagRound' | 'putTagged' | 'removeUntagged'
> {
  return {
    listAllowed: (accountId) => database.read((sql) => listAllowed(sql, accountId)),
    changeAllowed: (accountId, change, by) =>
      changeAccount(database, accountId, (sql) => changeAllowed(sql, accountId, change, by)),
    listSelectedTags: async () => selectedTags(await database.read(listWideRules)),
    nextTagRound: (accountId, tag) => database.read((sql) => nextTagRound(sql, accountId, tag)),
    async putTagged(accountId, tag, { names, round }) {
      for (let start = 0; start < names.length; start += rowsPerStep) {
        const some = { names: names.slice(start, start + rowsPerStep), round };
        await changeAccount(database, accountId, (sql) => putTagged(sql, accountId, tag, some));
      }
    },
    async removeUntagged(accountId, tag, round) {
      const old = { round, limit: rowsPerStep };
      const remove = () =>
        changeAccount(database, accountId, (sql) => removeTaggedBefore(sql, accountId, tag, old));
      while ((await remove()) === rowsPerStep);
    },
  };
}
