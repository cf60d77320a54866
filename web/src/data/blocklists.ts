/** The blocklists of the account and who fetches them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BlocklistsView } from '../../../src/http/web/blocklist/blocklist-wire.ts';
import type { Received } from './foreign.ts';
import { request } from './request.ts';

export type Blocklists = Received<BlocklistsView>;
export type Blocklist = Blocklists['blocklists'][number];

const blocklistsKey = ['blocklists'] as const;

export function useBlocklists() {
  return useQuery({
    queryKey: blocklistsKey,
    queryFn: ({ signal }) => request<BlocklistsView>('GET', '/blocklists', { signal }),
  });
}

export function useRenewLinks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<BlocklistsView>('POST', '/blocklists/renew'),
    onSuccess: (answer) => client.setQueryData(blocklistsKey, answer),
  });
}
