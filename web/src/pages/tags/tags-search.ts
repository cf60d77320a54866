/** What the list of tags shows is in its address. */
import { definedOnly, oneOf, oneText } from '../../data/address.ts';

export const tagSorts = ['label', 'domains', 'risk', 'used'] as const;
export type TagSort = (typeof tagSorts)[number];

export interface TagsSearch {
  /** Part of the label. */
  readonly q?: string;
  readonly sort?: Exclude<TagSort, 'label'>;
  /** The tag whose dialog is open. */
  readonly edit?: string;
  readonly remove?: string;
}

export function tagsSearch(raw: Readonly<Record<string, unknown>>): TagsSearch {
  const sort = oneOf(raw['sort'], tagSorts);
  const edit = oneText(raw['edit']);
  return definedOnly({
    q: oneText(raw['q']),
    sort: sort === 'label' ? undefined : sort,
    edit,
    // One dialog at a time.
    remove: edit === undefined ? oneText(raw['remove']) : undefined,
  });
}
