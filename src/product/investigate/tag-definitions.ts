/** The tags of an account themselves: list, label, colour, expiry, scope, merge, deletion. */
import type { Caller } from '../../model/account/account.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import {
  type TagChange,
  type TagDefinition,
  type TagOverlap,
  tagsPerAccountMax,
} from '../../store/domain/tag-store.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import { readLabel, tagReader } from './tags.ts';

export interface TagDefinitionNeeds {
  readonly domains: Pick<
    DomainStore,
    'listTags' | 'averageRisksOfTags' | 'changeTag' | 'deleteTag' | 'listTagOverlap'
  >;
}

export interface ListedTag extends TagDefinition {
  readonly averageRisk?: number;
}

/** Averages are of tags with no more domains than this together. */
const averagedDomainsMax = 20_000;
const overlapLimits = { domainsMax: 100_000, tagsMax: 100 } as const;

export async function listTagDefinitions(
  caller: Caller,
  { domains }: TagDefinitionNeeds,
  nowMs: number,
): Promise<{ readonly tags: readonly ListedTag[]; readonly more: boolean }> {
  const found = await domains.listTags(tagReader(caller, nowMs), tagsPerAccountMax + 1);
  const tags = found.slice(0, tagsPerAccountMax);
  const averaged = fewestDomains(tags);
  const risks = await domains.averageRisksOfTags(averaged.map(({ id }) => id));
  const riskOf = new Map(averaged.map(({ id }, index) => [id, risks[index]]));
  const listed = tags.map((tag) => {
    const averageRisk = riskOf.get(tag.id);
    return averageRisk === undefined ? tag : { ...tag, averageRisk };
  });
  return { tags: listed, more: found.length > tags.length };
}

/** As many tags as can be averaged within the bound. */
function fewestDomains(tags: readonly TagDefinition[]): readonly TagDefinition[] {
  let domains = 0;
  return [...tags]
    .sort((one, other) => one.domains - other.domains)
    .filter((tag) => {
      domains += tag.domains;
      return domains <= averagedDomainsMax;
    });
}

/** `expiresAt`: RFC 3339 in the future, or null for a tag that stays. */
export interface RequestedTagChange {
  readonly label?: string;
  readonly scope?: TagChange['scope'];
  readonly colour?: TagChange['colour'];
  readonly expiresAt?: string | null;
  readonly merge?: boolean;
}

export function readTagChange(given: RequestedTagChange, nowMs: number): TagChange {
  const { label, scope, colour, expiresAt, merge } = given;
  return {
    ...(label === undefined ? {} : { label: readLabel('label', label) }),
    ...(scope === undefined ? {} : { scope }),
    ...(colour === undefined ? {} : { colour }),
    ...(expiresAt === undefined ? {} : { expiresMs: readExpiry(expiresAt, nowMs) }),
    ...(merge === undefined ? {} : { merge }),
  };
}

const withZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

function readExpiry(text: string | null, nowMs: number): number | 'never' {
  if (text === null) return 'never';
  const ms = withZone.test(text) ? Date.parse(text) : Number.NaN;
  if (ms > nowMs) return ms;
  throw fieldProblem(
    'invalid-parameters',
    'expires_at',
    'must be a time in the future with its offset, such as 2026-12-31T18:00:00Z, or null',
  );
}

const noSuchTag = () => new Problem('not-found', 'There is no such tag, or it is not yours.');

/** Returns the tag as it is now, and how many domains came to it if it was merged. */
export async function changeTagDefinition(
  caller: Caller,
  id: string,
  change: TagChange,
  { domains, nowMs }: TagDefinitionNeeds & { readonly nowMs: number },
): Promise<{ readonly tag: TagDefinition; readonly moved?: number }> {
  const result = await domains.changeTag(id, change, tagReader(caller, nowMs));
  if (result.outcome === 'missing') throw noSuchTag();
  if (result.outcome === 'changed') return result;
  const { label, scope, domains: count } = result.tag;
  const whose = scope === 'own' ? 'You have' : 'The team has';
  const message = `${whose} a tag ${label} already, on ${count} domains: send merge to make them one.`;
  throw new Problem('already-exists', message, { fields: { label: [message] } });
}

/** Returns how many domains had it. */
export async function deleteTagDefinition(
  caller: Caller,
  id: string,
  { domains, nowMs }: TagDefinitionNeeds & { readonly nowMs: number },
): Promise<number> {
  const count = await domains.deleteTag(id, tagReader(caller, nowMs));
  if (count === undefined) throw noSuchTag();
  return count;
}

export function findTagOverlap(
  caller: Caller,
  label: string,
  { domains }: TagDefinitionNeeds,
  nowMs: number,
): Promise<TagOverlap> {
  return domains.listTagOverlap(readLabel('label', label), tagReader(caller, nowMs), overlapLimits);
}
