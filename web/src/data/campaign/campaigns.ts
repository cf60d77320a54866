/** Campaigns: their lists, one of them with its domains and its timeline, and every change. */
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  CampaignBody,
  CampaignChangeBody,
  CampaignList,
  CampaignMembers,
  CampaignTimeline,
  CampaignView,
  MemberChangeBody,
} from '../../../../src/http/web/campaign/campaign-wire.ts';
import type { Received } from '../foreign.ts';
import { request } from '../request.ts';

export type Campaign = Received<CampaignView>;
export type CampaignLink = Campaign['links'][number];
export type CampaignLinkKind = CampaignLink['by'];
export type CampaignMember = Received<CampaignMembers>['members'][number];
export type Timeline = Received<CampaignTimeline>;
export type TimelineEvent = Timeline['events'][number];
export type TimelineKind = TimelineEvent['kind'];

export interface CampaignFilter {
  readonly followed?: 'true';
  readonly state?: 'active' | 'closed';
  readonly domain?: string;
  readonly search?: string;
}

const campaignsKey = ['campaigns'] as const;
const pageSize = 50;
const membersPageSize = 100;
/** What the timeline and, until more is asked for, the graph are drawn from. */
export const drawnMembers = 500;

export const campaignPath = (id: string, part = ''): string => `/campaigns/${encodeURIComponent(id)}${part}`;

export function useCampaigns(filter: CampaignFilter) {
  return useInfiniteQuery({
    queryKey: [...campaignsKey, 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      request<CampaignList>('GET', '/campaigns', {
        signal,
        query: { ...filter, limit: pageSize, offset: pageParam },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total_count: total }, pages) => {
      const read = pages.reduce((sum, { campaigns }) => sum + campaigns.length, 0);
      return read < total && (pages.at(-1)?.campaigns.length ?? 0) > 0 ? read : undefined;
    },
    placeholderData: keepPreviousData,
  });
}

/** The campaigns that a domain is a member of. */
export function useMemberships(domain: string, enabled = true) {
  return useQuery({
    queryKey: [...campaignsKey, 'of', domain],
    queryFn: ({ signal }) =>
      request<CampaignList>('GET', '/campaigns', { signal, query: { domain, limit: 5, offset: 0 } }),
    enabled,
    staleTime: 60_000,
  });
}

export function useCampaign(id: string) {
  return useQuery({
    queryKey: [...campaignsKey, id],
    queryFn: ({ signal }) => request<CampaignView>('GET', campaignPath(id), { signal }),
  });
}

/** Members in pages, as the table shows them. */
export function useMemberPages(id: string) {
  return useInfiniteQuery({
    queryKey: [...campaignsKey, id, 'members', 'pages'],
    queryFn: ({ signal, pageParam }) => readMembers(id, membersPageSize, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ total_count: total }, pages) => {
      const read = pages.reduce((sum, { members }) => sum + members.length, 0);
      return read < total && (pages.at(-1)?.members.length ?? 0) > 0 ? read : undefined;
    },
  });
}

/** The newest members up to a number, for what is drawn. */
export function useMembers(id: string, max: number) {
  return useQuery({
    queryKey: [...campaignsKey, id, 'members', max],
    queryFn: async ({ signal }) => {
      const members: CampaignMember[] = [];
      for (;;) {
        const page = await readMembers(
          id,
          Math.min(drawnMembers, max - members.length),
          members.length,
          signal,
        );
        members.push(...page.members);
        if (page.members.length === 0 || members.length >= Math.min(max, page.total_count))
          return { total: page.total_count, members };
      }
    },
    staleTime: 60_000,
  });
}

function readMembers(id: string, limit: number, offset: number, signal: AbortSignal) {
  return request<CampaignMembers>('GET', campaignPath(id, '/members'), { signal, query: { limit, offset } });
}

export function useTimeline(id: string) {
  return useQuery({
    queryKey: [...campaignsKey, id, 'timeline'],
    queryFn: ({ signal }) => request<CampaignTimeline>('GET', campaignPath(id, '/timeline'), { signal }),
    staleTime: 60_000,
  });
}

/** The lists and what is known of every campaign may be different afterwards. */
function useCampaignMutation<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => client.invalidateQueries({ queryKey: campaignsKey }),
  });
}

export const useMakeCampaign = () =>
  useCampaignMutation((body: CampaignBody) => request<CampaignView>('POST', '/campaigns', { body }));

export const useChangeCampaign = (id: string) =>
  useCampaignMutation((body: CampaignChangeBody) =>
    request<CampaignView>('PATCH', campaignPath(id), { body }),
  );

export const useChangeMembers = (id: string) =>
  useCampaignMutation((body: MemberChangeBody) =>
    request<CampaignView>('POST', campaignPath(id, '/members'), { body }),
  );

/** The campaign itself is not read again: it is gone. */
export function useForgetCampaign(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<unknown>('DELETE', campaignPath(id)),
    onSuccess: () => client.invalidateQueries({ queryKey: [...campaignsKey, 'list'] }),
  });
}
