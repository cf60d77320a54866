/** Whether the rules of a selection choose a domain, by what the watchlist and the tags say about it now. */
import type { ListingReason, SelectionRules } from '../../../model/detect/blocklist/selection.ts';
import { foldedText } from '../../domain/value-keys.ts';

export interface Candidate {
  readonly isBlocked: boolean;
  /** Undefined: it is not on the watchlist. */
  readonly domain: CandidateDomain | undefined;
  /** Those that match it, in their order. */
  readonly monitors: readonly { readonly id: string; readonly term: string }[];
  /** In the form in which tags are compared. */
  readonly tags: ReadonlySet<string>;
}

export interface CandidateDomain {
  readonly state: string;
  readonly isListed: boolean;
  readonly riskScore: number | undefined;
}

const termsMax = 3;

/** Undefined: they do not choose it. An ignored domain is chosen only if it is blocked. */
export function reasonToList(
  { isBlocked, domain, monitors, tags }: Candidate,
  { blocked, newScoreMin, tags: labels, monitorIds }: SelectionRules,
): ListingReason | undefined {
  if (monitorIds.length > 0 && !monitors.some(({ id }) => monitorIds.includes(id))) return undefined;
  const terms = monitors.slice(0, termsMax).map(({ term }) => term);
  const facts = { terms, riskScore: domain?.riskScore };
  if (blocked && isBlocked) return { source: 'blocked', ...facts };
  if (domain?.state === 'ignored') return undefined;
  if (newScoreMin !== undefined && domain?.state === 'new' && domain.isListed) {
    if (newScoreMin === 0 || (domain.riskScore ?? -1) >= newScoreMin) return { source: 'new', ...facts };
  }
  const tag = labels.find((label) => tags.has(foldedText(label)));
  return tag === undefined ? undefined : { source: 'tagged', tag, ...facts };
}

/** The tags that rules name, each once for each account. */
export function selectedTags(
  rows: Iterable<{ readonly accountId: string; readonly rules: SelectionRules }>,
): readonly { readonly accountId: string; readonly tag: string }[] {
  const selected = new Map<string, { accountId: string; tag: string }>();
  for (const { accountId, rules } of rows)
    for (const tag of rules.tags)
      selected.set(JSON.stringify([accountId, foldedText(tag)]), { accountId, tag });
  return [...selected.values()];
}
