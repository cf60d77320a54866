/** Whether the rules of a selection choose a domain, by what the watchlist and the tags say about it now. */
import type { ListingReason, SelectionRules } from '../../../model/detect/blocklist/selection.ts';
import type { Database } from '../database.ts';
import { foldedText } from '../domain/value-keys.ts';

export interface Candidate {
  readonly isBlocked: boolean;
  /** Undefined: it is not on the watchlist. */
  readonly domain: DomainRow | undefined;
  readonly monitors: readonly MonitorRow[];
  readonly tags: ReadonlySet<string>;
}

interface DomainRow {
  readonly number: number;
  readonly state: string;
  readonly listed: number;
  readonly risk_score: number | null;
}

interface MonitorRow {
  readonly id: string;
  readonly term: string;
}

const termsMax = 3;

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
      domain,
      monitors: domain ? (this.#monitors.all(domain.number) as MonitorRow[]) : [],
      tags: new Set(this.#tags.all(accountId, name) as string[]),
    };
  }
}

/** Undefined: they do not choose it. An ignored domain is chosen only if it is blocked. */
export function reasonToList(
  { isBlocked, domain, monitors, tags }: Candidate,
  { blocked, newScoreMin, tags: labels, monitorIds }: SelectionRules,
): ListingReason | undefined {
  if (monitorIds.length > 0 && !monitors.some(({ id }) => monitorIds.includes(id))) return undefined;
  const terms = monitors.slice(0, termsMax).map(({ term }) => term);
  const facts = { terms, riskScore: domain?.risk_score ?? undefined };
  if (blocked && isBlocked) return { source: 'blocked', ...facts };
  if (domain?.state === 'ignored') return undefined;
  if (newScoreMin !== undefined && domain?.state === 'new' && domain.listed === 1) {
    if (newScoreMin === 0 || (domain.risk_score ?? -1) >= newScoreMin) return { source: 'new', ...facts };
  }
  const tag = labels.find((label) => tags.has(foldedText(label)));
  return tag === undefined ? undefined : { source: 'tagged', tag, ...facts };
}
