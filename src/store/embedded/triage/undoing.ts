/** Undoes decisions, in pieces: what one transaction has not undone, undoing again does. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DecisionTarget, WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor, ChangedDomain, KeptDomain, UndoConflict, UndoOutcome } from '../../decision-store.ts';
import { type Database, write } from '../database.ts';
import { Blocklists } from '../detect/blocklists.ts';
import { Events } from '../detect/events.ts';
import { type DecidedRow, DomainRestorer } from './domain-restorer.ts';

interface DecisionRow {
  readonly number: number;
  readonly id: WatchlistId;
  readonly account: string;
  readonly target: DecisionTarget;
}

interface Piece {
  readonly changed: readonly ChangedDomain[];
  readonly kept: readonly KeptDomain[];
  /** Where the next piece begins; undefined after the last. */
  readonly next: number | undefined;
}

export class Undoing {
  readonly #database: Database;
  readonly #restorer: DomainRestorer;
  readonly #events: Events;
  readonly #blocklists: Blocklists;
  readonly #decision;
  readonly #conflicts;
  readonly #rows;
  readonly #setUndoneBy;

  constructor(database: Database) {
    this.#database = database;
    this.#restorer = new DomainRestorer(database);
    this.#events = new Events(database);
    this.#blocklists = new Blocklists(database);
    this.#decision = database.prepare(
      'select number, id, account, target from decision where account = ? and id = ?',
    );
    this.#conflicts = database.prepare(
      `select domain.id, domain.name as domain, decision.username as by, decision.at_ms as atMs, domain.state,
         max(later.number) as latest
       from decided_domain as mine
         join decided_domain as later
           on later.domain = mine.domain and later.number > mine.number and later.undone = 0
         join decision on decision.number = later.decision
         join domain on domain.number = mine.domain
       where mine.decision = ? and mine.undone = 0 group by mine.number`,
    );
    this.#rows = database.prepare(
      `select number, domain, from_state, from_by, from_ms, escalation from decided_domain
       where decision = ? and number > ? and undone = 0 order by number limit ?`,
    );
    this.#setUndoneBy = database.prepare('update decision set undone_by = ?, undone_ms = ? where number = ?');
  }

  async undo(
    accountId: string,
    id: WatchlistId,
    { skipConflicts, pieceDomains }: { readonly skipConflicts: boolean; readonly pieceDomains: number },
    by: Actor,
  ): Promise<UndoOutcome> {
    const decision = this.#decision.get(accountId, id) as DecisionRow | undefined;
    if (!decision) return { outcome: 'unknown' };
    const changed: ChangedDomain[] = [];
    const kept: KeptDomain[] = [];
    for (let after = 0; ; ) {
      const range = { after, limit: pieceDomains };
      const done = await write(this.#database, (): Piece | { conflicts: readonly UndoConflict[] } => {
        // In the transaction of the first piece, so that undoing a few domains is all or nothing.
        const conflicts = range.after === 0 && !skipConflicts ? this.#conflictsOf(decision) : [];
        return conflicts.length > 0 ? { conflicts } : this.#undoPiece(decision, range, by);
      });
      if ('conflicts' in done) return { outcome: 'conflict', conflicts: done.conflicts };
      changed.push(...done.changed);
      kept.push(...done.kept);
      if (done.next === undefined) return { outcome: 'undone', changed, kept };
      after = done.next;
      await yieldToEventLoop();
    }
  }

  #conflictsOf(decision: DecisionRow): readonly UndoConflict[] {
    const found = this.#conflicts.all(decision.number) as (UndoConflict & { latest: number })[];
    return found.map(({ latest: _latest, ...conflict }) => conflict);
  }

  #undoPiece(
    decision: DecisionRow,
    { after, limit }: { readonly after: number; readonly limit: number },
    by: Actor,
  ): Piece {
    const rows = this.#rows.all(decision.number, after, limit) as DecidedRow[];
    const changed: ChangedDomain[] = [];
    const kept: KeptDomain[] = [];
    let isUnblocked = false;
    for (const row of rows) {
      const restored = this.#restorer.restore(row, by.atMs);
      if ('why' in restored) {
        kept.push(restored);
        continue;
      }
      const { withdrawn, ...change } = restored;
      changed.push(change);
      isUnblocked ||= withdrawn === 'blocked';
    }
    if (isUnblocked) this.#blocklists.raiseVersion(decision.account);
    if (changed.length > 0) this.#record(decision, changed, by);
    return { changed, kept, next: rows.length < limit ? undefined : rows.at(-1)?.number };
  }

  #record({ number, id, account, target }: DecisionRow, changed: readonly ChangedDomain[], by: Actor): void {
    this.#setUndoneBy.run(by.username, by.atMs, number);
    this.#events.appendDecision('undone', account, by.atMs, {
      decisionId: id,
      by: by.username,
      target,
      domainIds: changed.map((change) => change.id),
    });
  }
}
