/** Tags of domains, visible to one user or to the whole account. */
import type { Caller } from '../../model/account/account.ts';
import { fieldProblem } from '../../model/problem.ts';
import { fold } from '../../model/record/fold.ts';
import { isVisible, visibleRule } from '../../model/visible-text.ts';
import type { DomainStore, Tag } from '../../store/domain-store.ts';

export interface TagNeeds {
  readonly domains: Pick<DomainStore, 'findRecords' | 'changeTags' | 'tagsOf'>;
}

export interface TagChange {
  readonly names: readonly string[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly scope: Tag['scope'];
}

export interface TaggedDomains {
  readonly tagged: readonly { readonly domain: string; readonly tags: readonly Tag[] }[];
  /** Requested domains without a record. */
  readonly missing: readonly string[];
}

const labelCharactersMax = 64;
export const labelsMax = 100;

export function readLabels(field: string, labels: readonly string[]): readonly string[] {
  if (labels.length > labelsMax)
    throw fieldProblem('invalid-parameters', field, `must not have more than ${labelsMax} tags`);
  const trimmed = labels.map((label) => label.trim());
  // Searches take comma-separated labels, so a label cannot contain a comma.
  if (trimmed.some((label) => label === '' || label.length > labelCharactersMax || label.includes(','))) {
    const message = `must be tags of 1 to ${labelCharactersMax} characters without commas`;
    throw fieldProblem('invalid-parameters', field, message);
  }
  if (!trimmed.every(isVisible)) throw fieldProblem('invalid-parameters', field, visibleRule);
  return [...new Map(trimmed.map((label) => [fold(label), label])).values()];
}

/** Changes the tags of every domain that has a record, and returns the tags afterwards. */
export async function changeTags(
  caller: Caller,
  { names, add, remove, scope }: TagChange,
  needs: TagNeeds,
  nowMs: number,
): Promise<TaggedDomains> {
  const by = { accountId: caller.account.id, userId: caller.user.id, scope, atMs: nowMs };
  for (const name of names) await needs.domains.changeTags(name, { add, remove }, by);
  return listTags(caller, names, needs);
}

export async function listTags(
  caller: Caller,
  names: readonly string[],
  { domains }: TagNeeds,
): Promise<TaggedDomains> {
  const records = await domains.findRecords(names);
  const known = names.filter((_, index) => records[index] !== undefined);
  const who = { accountId: caller.account.id, userId: caller.user.id };
  const tags = known.length === 0 ? [] : await domains.tagsOf(known, who);
  return {
    tagged: known.map((domain, index) => ({ domain, tags: tags[index] ?? [] })),
    missing: names.filter((name) => !known.includes(name)),
  };
}
