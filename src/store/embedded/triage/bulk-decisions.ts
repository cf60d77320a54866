/** Decisions about many domains, in pieces: each piece is one transaction, and all belong to one decision in the log. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type {
  Actor,
  ChangedDomain,
  DecisionOutcome,
  NewDecision,
  RefusedDomain,
} from '../../decision-store.ts';
import { type CurrentRow, refusalOf, stateOf } from '../../detect/triage/decision-rows.ts';
import type { TriageFilter } from '../../triage-store.ts';
import { type Database, write } from '../database.ts';
import { Decisions } from '../detect/decisions.ts';
import { DecisionLog, type OpenDecision } from './decision-log.ts';
import { TriageSelection } from './triage-selection.ts';

type Expected = (id: WatchlistId) => string | undefined;

export class BulkDecisions {
  readonly #database: Database;
  readonly #decisions: Decisions;
  readonly #log: DecisionLog;
  readonly #selection: TriageSelection;
  readonly #current;

  constructor(database: Database) {
    this.#database = database;
    this.#decisions = new Decisions(database);
    this.#log = new DecisionLog(database);
    this.#selection = new TriageSelection(database);
    this.#current = database.prepare(
      'select number, name, state, assigned_by, assigned_ms from domain where account = ? and id = ? and matched = 1',
    );
  }

  async decide(
    accountId: string,
    ids: readonly WatchlistId[],
    decision: NewDecision & { readonly expected?: Readonly<Record<string, string>> },
    by: Actor,
  ): Promise<DecisionOutcome> {
    const { expected = {}, target, note, pieceDomains } = decision;
    const open = this.#log.open(accountId, target, by, note);
    const expectedOf = (id: WatchlistId) => (Object.hasOwn(expected, id) ? expected[id] : undefined);
    return this.#decideInPieces(open, [...new Set(ids)], pieceDomains, expectedOf);
  }

  async decideMatching(
    accountId: string,
    filter: TriageFilter,
    decision: NewDecision & { readonly count: number },
    by: Actor,
  ): Promise<DecisionOutcome | { readonly matching: number } | 'unknown-monitor'> {
    const { count, target, note, pieceDomains } = decision;
    const ids = this.#selection.ids(accountId, filter);
    if (ids === 'unknown-monitor') return ids;
    if (ids.length !== count) return { matching: ids.length };
    const open = this.#log.open(accountId, target, by, note);
    // Of the state that its list has; a domain that somebody decided about meanwhile is left alone.
    const state = stateOf(filter);
    return this.#decideInPieces(open, ids, pieceDomains, () => state);
  }

  async #decideInPieces(
    decision: OpenDecision,
    ids: readonly WatchlistId[],
    pieceDomains: number,
    expected: Expected,
  ): Promise<DecisionOutcome> {
    let committed = decision;
    const changed: ChangedDomain[] = [];
    const refused: RefusedDomain[] = [];
    for (let from = 0; from < ids.length; from += pieceDomains) {
      if (from > 0) await yieldToEventLoop();
      const piece = ids.slice(from, from + pieceDomains);
      // A copy, because a transaction may be rolled back and repeated.
      const done = await write(this.#database, () => this.#decidePiece({ ...committed }, piece, expected));
      committed = done.decision;
      changed.push(...done.changed);
      refused.push(...done.refused);
    }
    return { decisionId: committed.number === undefined ? undefined : committed.id, changed, refused };
  }

  #decidePiece(decision: OpenDecision, ids: readonly WatchlistId[], expected: Expected) {
    const changed: ChangedDomain[] = [];
    const refused: RefusedDomain[] = [];
    for (const id of ids) {
      const row = this.#current.get(decision.accountId, id) as CurrentRow | undefined;
      if (!row) {
        refused.push({ id, why: 'unknown' });
        continue;
      }
      const wanted = expected(id);
      const isExpected = wanted === undefined || wanted === row.state;
      const decided = isExpected ? this.#decisions.decide(decision, row.number) : undefined;
      if (decided) changed.push({ id, domain: row.name, from: row.state, to: decided.state });
      else refused.push(refusalOf(id, row, isExpected ? 'already' : 'state'));
    }
    this.#decisions.finish(
      decision,
      changed.map(({ id }) => id),
    );
    return { decision, changed, refused };
  }
}
