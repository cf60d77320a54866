/** What worker threads do for triage: all writes, lists, counts. */
import type { DomainFacts, WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor, NewDecision } from '../../decision-store.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type {
  ListVisit,
  TriageAttribute,
  TriageFilter,
  TriageList,
  TriageQuery,
} from '../../triage-store.ts';
import { type Database, write } from '../database.ts';
import { BulkDecisions } from './bulk-decisions.ts';
import { DecisionLog } from './decision-log.ts';
import { FacetCounts } from './facet-counts.ts';
import { ListCounter } from './list-counter.ts';
import { ListVisits } from './list-visits.ts';
import { Notes } from './notes.ts';
import { PeriodSummaries } from './period-summaries.ts';
import { TriageLists } from './triage-list.ts';
import { TriageSelection } from './triage-selection.ts';
import { Undoing } from './undoing.ts';
import { UnfilledRows } from './unfilled-rows.ts';

export function triageCalls(database: Database) {
  const bulk = new BulkDecisions(database);
  const undoing = new Undoing(database);
  const log = new DecisionLog(database);
  const lists = new TriageLists(database);
  const selection = new TriageSelection(database);
  const facets = new FacetCounts(database);
  const counter = new ListCounter(database);
  const notes = new Notes(database);
  const visits = new ListVisits(database);
  const unfilled = new UnfilledRows(database);
  const periods = new PeriodSummaries(database);
  const inTransaction = <Result>(work: () => Result) => write(database, work);

  return {
    decideDomains: (
      accountId: string,
      ids: readonly WatchlistId[],
      decision: NewDecision & { readonly expected?: Readonly<Record<string, string>> },
      by: Actor,
    ) => bulk.decide(accountId, ids, decision, by),

    decideMatching: (
      accountId: string,
      filter: TriageFilter,
      decision: NewDecision & { readonly count: number },
      by: Actor,
    ) => bulk.decideMatching(accountId, filter, decision, by),

    undoDecision: (
      accountId: string,
      id: WatchlistId,
      options: { readonly skipConflicts: boolean; readonly pieceDomains: number },
      by: Actor,
    ) => undoing.undo(accountId, id, options, by),

    listDecisions: (
      accountId: string,
      page: { readonly beforeId?: WatchlistId; readonly by?: string; readonly limit: number },
    ) => log.list(accountId, page),

    listTriage: (accountId: string, query: TriageQuery, paging: ListPaging) =>
      lists.list(accountId, query, paging),

    listTriageNames: (accountId: string, filter: TriageFilter, limit: number) =>
      selection.names(accountId, filter, limit),

    countLists: (accountId: string, series: { readonly fromMs: number; readonly days: number }) =>
      counter.count(accountId, series),

    countArrivedSince: (accountId: string, list: TriageList, sinceMs: number) =>
      lists.countArrivedSince(accountId, list, sinceMs),

    countTriageValues: (
      accountId: string,
      filter: TriageFilter,
      attribute: TriageAttribute,
      options: { readonly limit: number; readonly among?: readonly string[] },
    ) => facets.count(accountId, filter, attribute, options),

    summarizePeriod: (...summary: Parameters<PeriodSummaries['summarize']>) => periods.summarize(...summary),

    addNote: (accountId: string, domainId: WatchlistId, text: string, by: Actor) =>
      inTransaction(() => notes.add(accountId, domainId, text, by)),

    assignDomain: (accountId: string, domainId: WatchlistId, assignee: string | undefined) =>
      inTransaction(() => notes.assign(accountId, domainId, assignee)),

    recordVisit: (visit: ListVisit & { readonly atMs: number }) => inTransaction(() => visits.record(visit)),

    fillSharedFacts: (
      facts: readonly { readonly domain: string; readonly shared: DomainFacts['shared'] }[],
    ) => inTransaction(() => unfilled.fill(facts)),
  };
}
