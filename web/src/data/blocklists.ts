/** The blocklists of the account, what is on each, who fetches them, and the allow list. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  AllowListBody,
  AllowListView,
  BlocklistsView,
  SelectionBody,
} from '../../../src/http/web/blocklist/blocklist-wire.ts';
import type { Received } from './foreign.ts';
import { request } from './request.ts';

export type Blocklists = Received<BlocklistsView>;
export type Blocklist = Blocklists['blocklists'][number];
export type Selection = Blocklists['selections'][number];
export type { SelectionBody };

const blocklistsKey = ['blocklists'] as const;
const allowedKey = ['blocklists-allowed'] as const;

/** Undefined: the blocked domains. */
export function useBlocklists(selection: string | undefined) {
  const query = selection === undefined ? '' : `?selection=${encodeURIComponent(selection)}`;
  return useQuery({
    queryKey: [...blocklistsKey, selection ?? ''],
    queryFn: ({ signal }) => request<BlocklistsView>('GET', `/blocklists${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function useRenewLinks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<BlocklistsView>('POST', '/blocklists/renew'),
    onSuccess: () => client.invalidateQueries({ queryKey: blocklistsKey }),
  });
}

export function usePutSelection() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, body }: { name: string; body: SelectionBody }) =>
      request<BlocklistsView>('PUT', `/blocklists/selections/${encodeURIComponent(name)}`, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: blocklistsKey }),
  });
}

export function useDeleteSelection() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      request<BlocklistsView>('DELETE', `/blocklists/selections/${encodeURIComponent(name)}`),
    onSuccess: (answer) => {
      // The deleted one may still be shown, and must not be fetched again.
      client.removeQueries({ queryKey: blocklistsKey, type: 'inactive' });
      client.setQueryData([...blocklistsKey, ''], answer);
    },
  });
}

export function useAllowList() {
  return useQuery({
    queryKey: allowedKey,
    queryFn: ({ signal }) => request<AllowListView>('GET', '/blocklists/allowed', { signal }),
  });
}

export function useChangeAllowList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AllowListBody) => request<AllowListView>('POST', '/blocklists/allowed', { body }),
    onSuccess: (answer) => {
      client.setQueryData(allowedKey, answer);
      void client.invalidateQueries({ queryKey: blocklistsKey });
    },
  });
}
