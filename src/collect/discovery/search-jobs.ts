/** What is said between a search and its thread. */
import type { Wanted } from '../../model/detect/name-search.ts';
import type { Term } from '../../model/lookalike/match.ts';

export type SearchId = number;

export type SearchJob =
  /** A plan comes in parts, so that none takes long to hand over. */
  | {
      readonly kind: 'plan';
      readonly search: SearchId;
      readonly terms: readonly Term[];
      readonly wanted: readonly Wanted[];
      readonly ownDomains: readonly (readonly [accountId: string, domains: readonly string[]])[];
    }
  | { readonly kind: 'prepare'; readonly search: SearchId }
  | { readonly kind: 'find'; readonly search: SearchId; readonly lines: Uint8Array }
  | { readonly kind: 'forget'; readonly search: SearchId }
  /** The names in lines of a feed. */
  | { readonly kind: 'names'; readonly lines: Uint8Array };

export interface SearchResults {
  readonly plan: undefined;
  readonly prepare: undefined;
  /** Each part is JSON of a list of found domains. */
  readonly find: readonly Uint8Array[];
  readonly forget: undefined;
  readonly names: Uint8Array;
}

export type SearchAnswer =
  | { readonly id: number; readonly result: SearchResults[keyof SearchResults] }
  | { readonly id: number; readonly error: string };
