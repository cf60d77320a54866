/** What the lists of an account say about a domain now, and which collections it belongs to. */
import type { RiskComponents, SharedFacts } from '../../../model/detect/watchlist.ts';
import type { SharedList } from '../../detect/sharing-store.ts';
import { AllowedNames } from '../blocklist/allowed-names.ts';
import type { Database } from '../database.ts';

export interface ListedFacts {
  readonly state: 'new' | 'watched' | 'ignored';
  readonly isListed: boolean;
  readonly discoveredMs: number;
  readonly score: number | undefined;
  readonly components: Partial<RiskComponents>;
  readonly addresses: readonly string[];
  /** Undefined: it is not blocked, or the allow list has it. */
  readonly blockedMs: number | undefined;
  readonly monitors: readonly { readonly id: string; readonly term: string }[];
}

interface DomainRow {
  readonly number: number;
  readonly state: ListedFacts['state'];
  readonly listed: number;
  readonly discovered_ms: number;
  readonly risk_score: number | null;
  readonly risk_components: string | null;
  readonly shared: string | null;
}

/** A domain with more of them is on a network of others; what it resolves to says little about it. */
const addressesMax = 8;

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
    const blockedMs = this.#blocked.get(accountId, name) as number | undefined;
    const shared = JSON.parse(row.shared ?? '{}') as Partial<SharedFacts>;
    return {
      state: row.state,
      isListed: row.listed === 1,
      discoveredMs: row.discovered_ms,
      score: row.risk_score ?? undefined,
      components: JSON.parse(row.risk_components ?? '{}') as Partial<RiskComponents>,
      addresses: (shared.ip ?? []).slice(0, addressesMax),
      blockedMs: this.#allowed.covers(accountId, name) ? undefined : blockedMs,
      monitors: this.#monitors.all(row.number) as ListedFacts['monitors'],
    };
  }
}

/**
 * A domain stays among the lookalikes when somebody watches it: that confirms what was said. It leaves them when it is ignored, excluded, or no
 * longer matched.
 */
export function belongsTo(list: SharedList, facts: ListedFacts, isMember: boolean): boolean {
  const { state, isListed, blockedMs, monitors } = facts;
  if (list === 'blocked') return blockedMs !== undefined;
  if (!isListed || state === 'ignored') return false;
  if (list === 'watched') return state === 'watched';
  if (list === 'lookalikes-new') return state === 'new' || isMember;
  return monitors.some(({ id }) => list === `monitor-${id}`);
}
