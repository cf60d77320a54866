/** Tags of the account, and tags of domains. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ChangedTag,
  DeletedTag,
  DomainTagsBody,
  DomainTags as DomainTagsWire,
  TagList as ListWire,
  TagOverlap as OverlapWire,
  TagChangeBody,
  TagOfDomain as TagOfDomainWire,
} from '../../../../src/http/web/tag/tag-wire.ts';
import type { Received } from '../../data/foreign.ts';
import { request } from '../../data/request.ts';
import type { Tag, TagColour, TagScope } from './tag-choices.ts';

export type TagOfDomain = Received<TagOfDomainWire>;
export type TagOverlap = Received<OverlapWire>;
export type { Tag, TagChangeBody, TagColour, TagScope };

export const colours: readonly TagColour[] = [
  'grey',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'violet',
];

const tagsKey = ['tags'] as const;

export function useTags() {
  return useQuery({
    queryKey: [...tagsKey, 'list'],
    queryFn: ({ signal }) => request<ListWire>('GET', '/tags', { signal }),
    staleTime: 10_000,
  });
}

export function useTagOverlap(label: string) {
  return useQuery({
    queryKey: [...tagsKey, 'overlap', label],
    queryFn: ({ signal }) => request<OverlapWire>('GET', '/tags/overlap', { signal, query: { label } }),
    staleTime: 60_000,
  });
}

export function useDomainTags(domains: readonly string[]) {
  return useQuery({
    queryKey: [...tagsKey, 'of', domains],
    queryFn: ({ signal }) =>
      request<DomainTagsWire>('POST', '/domain-tags/read', { signal, body: { domains } }),
  });
}

/** A change of tags shows wherever tags are: in lists, in searches, on the page of a domain. */
function useTagMutation<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        [tagsKey, ['search'], ['domain']].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

export const useChangeDomainTags = () =>
  useTagMutation((body: DomainTagsBody) => request<DomainTagsWire>('POST', '/domain-tags', { body }));

export const useChangeTag = () =>
  useTagMutation(({ id, ...body }: TagChangeBody & { readonly id: string }) =>
    request<ChangedTag>('PATCH', `/tags/${encodeURIComponent(id)}`, { body }),
  );

export const useDeleteTag = () =>
  useTagMutation((id: string) => request<DeletedTag>('DELETE', `/tags/${encodeURIComponent(id)}`));
