/** Decisions in PostgreSQL: each piece of a decision or of its undoing is one transaction under the lock of the account. */
import type { DecisionStore } from '../../decision-store.ts';
import { stateOf } from '../../detect/triage/decision-rows.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { decideInPieces } from './bulk-decisions.ts';
import { findDecision, listDecisions, listDecisionsOf } from './decision-queries.ts';
import { listIds } from './triage-selection.ts';
import { undoDecision } from './undoing.ts';

export function openDecisionStore(database: PostgresDatabase): DecisionStore {
  return {
    decideDomains(accountId, ids, { expected = {}, ...decision }, by) {
      const expectedOf = (id: string) => (Object.hasOwn(expected, id) ? expected[id] : undefined);
      const made = { ...decision, accountId, by, expected: expectedOf };
      return decideInPieces(database, [...new Set(ids)], made);
    },
    async decideMatching(accountId, filter, { count, ...decision }, by) {
      const ids = await database.read((sql) => listIds(sql, accountId, filter));
      if (ids === 'unknown-monitor') return ids;
      if (ids.length !== count) return { matching: ids.length };
      // Of the state that its list has; a domain that somebody decided about meanwhile is left alone.
      const state = stateOf(filter);
      return decideInPieces(database, ids, { ...decision, accountId, by, expected: () => state });
    },
    undoDecision: (accountId, id, options, by) => undoDecision(database, { accountId, id }, options, by),
    findDecision: (accountId, id) => database.read((sql) => findDecision(sql, accountId, id)),
    listDecisions: (accountId, page) => database.read((sql) => listDecisions(sql, accountId, page)),
    listDecisionsOf: (accountId, domainId, limit) =>
      database.read((sql) => listDecisionsOf(sql, accountId, domainId, limit)),
  };
}
