/** Single sign-on: the identity providers of the account, those with a button, and one's own identities. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  BegunAnswer,
  OfferedProviders,
  OwnIdentities,
  ProviderBody,
  ProviderChangeBody,
  ProviderList,
  ProviderView,
  TestAnswer,
} from '../../../../src/http/web/sign-on/sign-on-wire.ts';
import { plain, type Received } from '../foreign.ts';
import { request } from '../request.ts';

export type Provider = Received<ProviderView>;
export type TestResult = Received<TestAnswer>;
export type Mapping = ProviderView['mapping'];
export type { ProviderBody, ProviderChangeBody };

const providersKey = ['identity-providers'] as const;
const identitiesKey = ['identities'] as const;
const pathOf = (id: string, part = '') => `/identity-providers/${encodeURIComponent(id)}${part}`;

/** What a server answers is text of somebody else; a form edits the text itself. */
export function mappingOf({ mapping }: Provider): Mapping {
  return {
    rules: mapping.rules.map(({ claim, value, permissions }) => ({
      claim: plain(claim),
      value: plain(value),
      permissions: [...permissions],
    })),
    otherwise: mapping.otherwise === null ? null : [...mapping.otherwise],
    creates_people: mapping.creates_people,
    name_claim: plain(mapping.name_claim),
    email_domains: mapping.email_domains.map(plain),
  };
}

export function useOfferedProviders() {
  return useQuery({
    queryKey: ['offered-providers'],
    queryFn: ({ signal }) => request<OfferedProviders>('GET', '/session/providers', { open: true, signal }),
    staleTime: 60_000,
  });
}

export function useProviders(enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: providersKey,
    queryFn: ({ signal }) => request<ProviderList>('GET', '/identity-providers', { signal }),
  });
}

export function useTestResult(token: string) {
  return useQuery({
    queryKey: ['sign-on-test', token],
    queryFn: ({ signal }) =>
      request<TestAnswer>('GET', `/identity-providers/tests/${encodeURIComponent(token)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

function useProviderMutation<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: providersKey }),
  });
}

export const useAddProvider = () =>
  useProviderMutation((body: ProviderBody) => request<ProviderView>('POST', '/identity-providers', { body }));

export const useChangeProvider = (id: string) =>
  useProviderMutation((body: ProviderChangeBody) => request<ProviderView>('PATCH', pathOf(id), { body }));

export const useRemoveProvider = (id: string) =>
  useProviderMutation(() => request<undefined>('DELETE', pathOf(id)));

export const useRequireSignOn = () =>
  useProviderMutation((required: boolean) => request<undefined>('PUT', '/sign-on', { body: { required } }));

/** The browser leaves for the provider, and comes back to a page of the app. */
const leave = (begun: Received<BegunAnswer>): void => location.assign(plain(begun.url));

export const useTestProvider = (id: string) =>
  useMutation({
    mutationFn: () => request<BegunAnswer>('POST', pathOf(id, '/test'), { body: {} }),
    onSuccess: leave,
  });

export function useOwnIdentities() {
  return useQuery({
    queryKey: identitiesKey,
    queryFn: ({ signal }) => request<OwnIdentities>('GET', '/me/identities', { signal }),
  });
}

export const useLinkIdentity = () =>
  useMutation({
    mutationFn: (id: string) =>
      request<BegunAnswer>('POST', `/me/identities/${encodeURIComponent(id)}`, { body: {} }),
    onSuccess: leave,
  });

export function useUnlinkIdentity() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<undefined>('DELETE', `/me/identities/${encodeURIComponent(id)}`),
    onSettled: () => client.invalidateQueries({ queryKey: identitiesKey }),
  });
}
