/** The stores of triage, in `watchlist.db`: decisions and their undoing, lists, notes. */
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { DecisionStore } from '../../decision-store.ts';
import type { TriageStore } from '../../triage-store.ts';
import type { Database } from '../database.ts';
import type { DetectCalls } from '../detect/detect-calls.ts';
import { DecisionLog } from './decision-log.ts';
import { ListVisits } from './list-visits.ts';
import { Notes } from './notes.ts';
import { TriageLists } from './triage-list.ts';
import { UnfilledRows } from './unfilled-rows.ts';

type Workers = Pick<WorkerClient<DetectCalls, 'write' | 'list' | 'count' | 'sweep'>, 'on'>;

export function decisionStore(database: Database, workers: Workers): DecisionStore {
  const log = new DecisionLog(database);
  return {
    decideDomains: workers.on('write', 'decideDomains'),
    decideMatching: workers.on('write', 'decideMatching'),
    undoDecision: workers.on('write', 'undoDecision'),
    findDecision: async (accountId, id) => log.find(accountId, id),
    listDecisions: workers.on('count', 'listDecisions'),
    listDecisionsOf: async (accountId, domainId, limit) => log.listOf(accountId, domainId, limit),
  };
}

export function triageStore(database: Database, workers: Workers): TriageStore {
  const lists = new TriageLists(database);
  const notes = new Notes(database);
  const visits = new ListVisits(database);
  const unfilled = new UnfilledRows(database);
  return {
    listTriage: workers.on('list', 'listTriage'),
    findTriageDomain: async (accountId, id) => lists.find(accountId, id),
    countLists: workers.on('count', 'countLists'),
    countArrivedSince: workers.on('count', 'countArrivedSince'),
    countTriageValues: workers.on('count', 'countTriageValues'),
    summarizePeriod: workers.on('count', 'summarizePeriod'),
    listTriageNames: workers.on('list', 'listTriageNames'),
    addNote: workers.on('write', 'addNote'),
    listNotes: async (accountId, domainId, limit) => notes.list(accountId, domainId, limit),
    assignDomain: workers.on('write', 'assignDomain'),
    recordVisit: workers.on('write', 'recordVisit'),
    findVisitMs: async (visit) => visits.findMs(visit),
    listUnfilledNames: async (limit) => unfilled.names(limit),
    fillSharedFacts: workers.on('write', 'fillSharedFacts'),
  };
}
