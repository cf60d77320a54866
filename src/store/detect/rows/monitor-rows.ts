/** Rows of monitors, and what a change of the settings means for them. */
import type { Monitor, MonitorDeclaration } from '../../../model/detect/watchlist.ts';
import type { CountedMonitor, MonitorChange } from '../../monitor-store.ts';
import { parsed, type StoredFlag, type StoredJson } from './stored-json.ts';

export interface MonitorRow {
  readonly number: number;
  readonly id: string;
  readonly account_id: string;
  readonly term: string;
  readonly substring_variations: StoredFlag;
  readonly nameserver_exclusions: StoredJson<readonly string[]>;
  readonly text_exclusions: StoredJson<readonly string[]>;
  readonly state: Monitor['state'];
  readonly status: Monitor['status'];
  readonly created_by: string;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly searched_names: number;
  readonly searched_of: number;
  /** JSON. */
  readonly declared: string | null;
  readonly passive_only: StoredFlag;
}

export type CountedMonitorRow = MonitorRow & {
  /** Undefined where nothing was counted. */
  readonly new: number | undefined;
  readonly watched: number;
  readonly changed: number;
  readonly escalated: number;
};

export function monitorOf(row: MonitorRow): Monitor {
  return {
    id: row.id,
    term: row.term,
    matchSubstringVariations: Boolean(row.substring_variations),
    nameserverExclusions: parsed(row.nameserver_exclusions),
    textExclusions: parsed(row.text_exclusions),
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    state: row.state,
    status: row.status,
    createdBy: row.created_by,
    searched: { names: row.searched_names, ofNames: row.searched_of },
    declared: row.declared === null ? undefined : (JSON.parse(row.declared) as MonitorDeclaration),
    ...(row.passive_only ? { passiveOnly: true } : {}),
  };
}

export function countedMonitorOf(row: CountedMonitorRow): CountedMonitor {
  const { new: discovered, watched, changed, escalated } = row;
  if (discovered === undefined) return monitorOf(row);
  return { ...monitorOf(row), counts: { new: discovered, watched, changed, escalated } };
}

/** The sort key of a term: accents and letter case do not matter. */
export function termOrder(term: string): string {
  return term.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A monitor after a change. `sameMatches`: which domains it lists does not depend on what has changed. */
export function changedMonitor(
  before: Monitor,
  change: MonitorChange,
  atMs: number,
): { readonly after: Monitor; readonly sameMatches: boolean } {
  const { declaredIn, ...settings } = change;
  const after = { ...before, ...settings };
  const isWider =
    (after.matchSubstringVariations && !before.matchSubstringVariations) ||
    before.textExclusions.some((text) => !after.textExclusions.includes(text)) ||
    (after.state === 'active' && before.state === 'inactive');
  const sameMatches =
    areEqual(after.nameserverExclusions, before.nameserverExclusions) &&
    areEqual(after.textExclusions, before.textExclusions) &&
    after.state === before.state;
  return {
    after: {
      ...after,
      status: isWider ? 'pending' : before.status,
      searched: isWider ? { names: 0, ofNames: 0 } : before.searched,
      declared: declaredIn === undefined ? before.declared : declarationOf(after, declaredIn),
      // Strictly increasing, even for two changes at the same time.
      updatedMs: Math.max(atMs, before.updatedMs + 1),
    },
    sameMatches,
  };
}

function declarationOf(monitor: Monitor, file: string | null): MonitorDeclaration | undefined {
  if (file === null) return undefined;
  const { state, matchSubstringVariations, textExclusions, nameserverExclusions, passiveOnly } = monitor;
  const passive = passiveOnly ? { passiveOnly } : {};
  return { file, state, matchSubstringVariations, textExclusions, nameserverExclusions, ...passive };
}

/** For the column of that name. */
export function declaredText({ declared }: Monitor): string | null {
  return declared ? JSON.stringify(declared) : null;
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
