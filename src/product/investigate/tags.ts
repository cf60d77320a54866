/** Tags of domains, visible to one user or to the whole account. */
import type { Caller } from '../../model/account/account.ts';
import { fieldProblem } from '../../model/problem.ts';
import { fold } from '../../model/record/fold.ts';
import { isVisible, visibleRule } from '../../model/visible-text.ts';
import type { Tag, TagReader, TagScope } from '../../store/domain/tag-store.ts';
import type { DomainStore } from '../../store/domain-store.ts';

export interface TagNeeds {
  readonly domains: Pick<DomainStore, 'findRecords' | 'changeTags' | 'tagsOf'>;
}

export interface TagChange {
  readonly names: readonly string[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly scope: TagScope;
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
  // The address of the page of a tag has its label, and browsers resolve these.
  if (trimmed.some((label) => label === '.' || label === '..'))
    throw fieldProblem('invalid-parameters', field, 'must be tags that are not dots alone');
  if (!trimmed.every(isVisible)) throw fieldProblem('invalid-parameters', field, visibleRule);
  return [...new Map(trimmed.map((label) => [fold(label), label])).values()];
}

export function readLabel(field: string, label: string): string {
  return readLabels(field, [label])[0] as string;
}

/** Changes the tags of every domain that has a record, and returns the tags afterwards. */
export async function changeTags(
  caller: Caller,
  { names, add, remove, scope }: TagChange,
  needs: TagNeeds,
  nowMs: number,
): Promise<TaggedDomains> {
  const { id: userId, username } = caller.user;
  const by = { accountId: caller.account.id, userId, username, scope, atMs: nowMs };
  await needs.domains.changeTags(names, { add, remove }, by);
  return listTags(caller, names, needs, nowMs);
}

export function tagReader({ account, user }: Caller, nowMs: number): TagReader {
  return { accountId: account.id, userId: user.id, nowMs };
}

export async function listTags(
  caller: Caller,
  names: readonly string[],
  { domains }: TagNeeds,
  nowMs: number,
): Promise<TaggedDomains> {
  const records = await domains.findRecords(names);
  const known = names.filter((_, index) => records[index] !== undefined);
  const missing = names.filter((_, index) => records[index] === undefined);
  const tags = known.length === 0 ? [] : await domains.tagsOf(known, tagReader(caller, nowMs));
  return {
    tagged: known.map((domain, index) => ({ domain, tags: tags[index] ?? [] })),
    missing,
  };
}
