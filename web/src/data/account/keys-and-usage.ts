/** The account: its keys, what it uses, and its audit log. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuditAnswer, ChainAnswer } from '../../../../src/http/web/account/audit-wire.ts';
import type {
  KeyAnswer,
  KeyChangeBody,
  KeysAnswer,
  KeyTestAnswer,
  NewKeyBody,
  WireKey,
} from '../../../../src/http/web/account/key-wire.ts';
import type { UsageAnswer } from '../../../../src/http/web/account/usage-wire.ts';
import type { Received } from '../foreign.ts';
import { request } from '../request.ts';

export type Key = Received<WireKey>;
export type KeyList = Received<KeysAnswer>;
export type MadeKey = Received<KeyAnswer>;
export type KeyTest = Received<KeyTestAnswer>;
export type Usage = Received<UsageAnswer>;
export type { KeyChangeBody, NewKeyBody };

const keysKey = ['keys'] as const;
const pathOf = (username: string, part = '') => `/keys/${encodeURIComponent(username)}${part}`;

export function useApiKeys(enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: keysKey,
    queryFn: ({ signal }) => request<KeysAnswer>('GET', '/keys', { signal }),
  });
}

function useKeyMutation<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: keysKey }),
  });
}

export const useCreateKey = () =>
  useKeyMutation((body: NewKeyBody) => request<KeyAnswer>('POST', '/keys', { body }));

export const useChangeKey = (username: string) =>
  useKeyMutation((body: KeyChangeBody) => request<KeyAnswer>('PATCH', pathOf(username), { body }));

export const useDeleteKey = (username: string) =>
  useKeyMutation(() => request<undefined>('DELETE', pathOf(username)));

export const useResetKey = (username: string) =>
  useKeyMutation((confirm: string) =>
    request<KeyAnswer>('POST', pathOf(username, '/reset'), { body: { confirm } }),
  );

export const useTestKey = () =>
  useKeyMutation((key: string) => request<KeyTestAnswer>('POST', '/keys/test', { body: { api_key: key } }));

export function useUsage() {
  return useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => request<UsageAnswer>('GET', '/usage', { signal }),
  });
}

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  readonly before?: number | undefined;
}

export function useAudit({ actor, kind, before }: AuditFilter, enabled: boolean) {
  return useQuery({
    enabled,
    placeholderData: keepPreviousData,
    queryKey: ['audit', actor, kind, before],
    queryFn: ({ signal }) =>
      request<AuditAnswer>('GET', '/audit', { query: { actor, kind, before }, signal }),
  });
}

export function useAuditChain(enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: ['audit-chain'],
    queryFn: ({ signal }) => request<ChainAnswer>('GET', '/audit/chain', { signal }),
  });
}
