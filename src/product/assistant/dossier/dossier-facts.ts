/** What a dossier is made of, read from the products by its caller. */
import type { WatchlistDomain } from '../../../model/detect/watchlist.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { Assessment, RiskContribution } from '../../../model/risk/assessment.ts';
import type { FieldChange } from '../../../store/domain-store.ts';
import type { Row } from '../../../store/rrset-store.ts';

/** Parts of sections that were not requested are absent. */
export interface DossierFacts {
  /** Punycode. */
  readonly domain: string;
  readonly nowMs: number;
  readonly record: DomainRecord | undefined;
  readonly isOwn: boolean;
  readonly tags: readonly string[];
  readonly assessment: Assessment & { readonly contributions: readonly RiskContribution[] };
  readonly listed?: {
    readonly domain: WatchlistDomain | undefined;
    /** Terms by id of their monitor. */
    readonly terms: ReadonlyMap<string, string>;
  };
  readonly pivots?: readonly PivotFact[];
  readonly history?: { readonly changes: readonly FieldChange[]; readonly more: boolean };
  /** `undefined` inside: the key has no passive DNS. */
  readonly passiveDns?: {
    readonly found: { readonly rows: readonly Row[]; readonly more: boolean } | undefined;
  };
  readonly picture?: { readonly state: string; readonly atMs?: number; readonly hash?: string };
  /** Its page in the web UI, where that is served. */
  readonly webUrl?: string;
}

export interface PivotFact {
  readonly attribute: string;
  /** The search parameter for it, if there is one. */
  readonly parameter: string | undefined;
  readonly value: string;
  readonly domains: number;
  readonly averageRisk: number | undefined;
  readonly guided: boolean;
  readonly firstNames: readonly string[];
}
