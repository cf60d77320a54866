/** Reads what the watchlist and the tags say about a domain now. */
import type { Candidate } from '../../detect/blocklist/candidate.ts';
import type { Database } from '../database.ts';

interface DomainRow {
  readonly number: number;
  readonly state: string;
  readonly listed: number;
  readonly risk_score: number | null;
}

export class Candidates {
  readonly #domain;
  readonly #blocked;
  readonly #monitors;
  readonly #tags;

  constructor(database: Database) {
    this.#domain = database.prepare(
      'select number, state, listed, risk_score from domain where account = ? and name = ?',
    );
    this.#blocked = database
      .prepare("select 1 from escalation where account = ? and name = ? and type = 'blocked'")
      .pluck();
    this.#monitors = database.prepare(
      `select id, term from monitor_match join monitor on number = monitor
       where domain = ? and named = 1 and deleted = 0 order by number`,
    );
    this.#tags = database.prepare('select tag from blocklist_tagged where account = ? and name = ?').pluck();
  }

  read(accountId: string, name: string): Candidate {
    const domain = this.#domain.get(accountId, name) as DomainRow | undefined;
    return {
      isBlocked: this.#blocked.get(accountId, name) !== undefined,
      domain: domain && {
        state: domain.state,
        isListed: domain.listed === 1,
        riskScore: domain.risk_score ?? undefined,
      },
      monitors: domain ? (this.#monitors.all(domain.number) as Candidate['monitors']) : [],
      tags: new Set(this.#tags.all(accountId, name) as string[]),
    };
  }
}
