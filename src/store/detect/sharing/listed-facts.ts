/** What the lists of an account say about a domain now, and which collections it belongs to. */
import type { RiskComponents, SharedFacts } from '../../../model/detect/watchlist.ts';
import { parsed, type StoredFlag, type StoredJson } from '../rows/stored-json.ts';
import type { SharedList } from '../sharing-store.ts';

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

export interface ListedRow {
  readonly state: ListedFacts['state'];
  readonly listed: StoredFlag;
  readonly discovered_ms: number;
  readonly risk_score: number | null;
  readonly risk_components: StoredJson<Partial<RiskComponents>> | null;
  readonly shared: StoredJson<Partial<SharedFacts>> | null;
}

/** A domain with more of them is on a network of others; what it resolves to says little about it. */
const addressesMax = 8;

/** `blockedMs`: null where it is not blocked. */
export function listedFactsOf(
  row: ListedRow,
  {
    blockedMs,
    isAllowed,
    monitors,
  }: {
    readonly blockedMs: number | null | undefined;
    readonly isAllowed: boolean;
    readonly monitors: ListedFacts['monitors'];
  },
): ListedFacts {
  return {
    state: row.state,
    isListed: Boolean(row.listed),
    discoveredMs: row.discovered_ms,
    score: row.risk_score ?? undefined,
    components: parsed(row.risk_components ?? {}),
    addresses: (parsed(row.shared ?? {}).ip ?? []).slice(0, addressesMax),
    blockedMs: isAllowed ? undefined : (blockedMs ?? undefined),
    monitors,
  };
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
