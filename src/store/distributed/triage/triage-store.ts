/** Triage in PostgreSQL: lists, counts and facets of one moment each; notes and assignees under the lock of the account. */
import type { TriageStore } from '../../triage-store.ts';
import { changeAccount } from '../detect/account-lock.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { countValues } from './facet-counts.ts';
import { countLists } from './list-counter.ts';
import {
  addNote,
  assignDomain,
  fillSharedFacts,
  findVisitMs,
  listNotes,
  listUnfilledNames,
  recordVisit,
} from './notes.ts';
import { summarizePeriod } from './period-summaries.ts';
import { countArrivedSince, findTriageDomain, listTriage } from './triage-lists.ts';
import { listNames } from './triage-selection.ts';

export function openTriageStore(database: PostgresDatabase): TriageStore {
  return {
    listTriage: (accountId, query, paging) => listTriage(database, accountId, query, paging),
    findTriageDomain: (accountId, id) => database.snapshot((sql) => findTriageDomain(sql, accountId, id)),
    countLists: (accountId, series) => database.snapshot((sql) => countLists(sql, accountId, series)),
    countArrivedSince: (accountId, list, sinceMs) =>
      database.read((sql) => countArrivedSince(sql, accountId, list, sinceMs)),
    countTriageValues: (accountId, filter, attribute, options) =>
      database.read((sql) => countValues(sql, accountId, { ...filter, attribute }, options)),
    listTriageNames: (accountId, filter, limit) =>
      database.read((sql) => listNames(sql, accountId, filter, limit)),
    summarizePeriod: (accountId, period, limits) =>
      database.snapshot((sql) => summarizePeriod(sql, accountId, period, limits)),
    addNote: (accountId, domainId, text, by) =>
      changeAccount(database, accountId, (sql) => addNote(sql, { accountId, domainId }, text, by)),
    listNotes: (accountId, domainId, limit) =>
      database.read((sql) => listNotes(sql, accountId, domainId, limit)),
    assignDomain: (accountId, domainId, assignee) =>
      changeAccount(database, accountId, (sql) => assignDomain(sql, accountId, domainId, assignee)),
    recordVisit: (visit) => database.writeRepeatable((sql) => recordVisit(sql, visit)),
    findVisitMs: (visit) => database.read((sql) => findVisitMs(sql, visit)),
    listUnfilledNames: (limit) => database.read((sql) => listUnfilledNames(sql, limit)),
    fillSharedFacts: (facts) => database.writeRepeatable((sql) => fillSharedFacts(sql, facts)),
  };
}
