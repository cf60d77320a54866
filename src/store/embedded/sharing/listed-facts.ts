/** Reads what the lists of an account say about a domain now. */
import { type ListedFacts, type ListedRow, listedFactsOf } from '../../detect/sharing/listed-facts.ts';
import { AllowedNames } from '../blocklist/allowed-names.ts';
import type { Database } from '../database.ts';

interface DomainRow extends ListedRow {
  readonly number: number;
}

export class ListedFactsReader {
  readonly #domain;
  readonly #blocked;
  readonly #monitors;
  readonly #allowed: AllowedNames;

  constructor(database: Database) {
    this.#domain = database.prepare(
      `select number, state, listed, discovered_ms, risk_score, risk_components, shared
       from domain where account = ? and name = ?`,
    );
    this.#blocked = database
      .prepare("select created_ms from escalation where account = ? and name = ? and type = 'blocked'")
      .pluck();
    this.#monitors = database.prepare(
      `select id, term from monitor_match join monitor on number = monitor
       where domain = ? and named = 1 and deleted = 0 order by number`,
    );
    this.#allowed = new AllowedNames(database);
  }

  /** Undefined: the account knows no such domain. */
  find(accountId: string, name: string): ListedFacts | undefined {
    const row = this.#domain.get(accountId, name) as DomainRow | undefined;
    if (!row) return undefined;
    return listedFactsOf(row, {
      blockedMs: this.#blocked.get(accountId, name) as number | undefined,
      isAllowed: this.#allowed.covers(accountId, name),
      monitors: this.#monitors.all(row.number) as ListedFacts['monitors'],
    });
  }
}
