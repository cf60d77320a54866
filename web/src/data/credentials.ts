/** How the signed-in person signs in, and where they are signed in. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  NewTotp,
  PasskeyList,
  RecoveryCodes,
  SessionList,
} from '../../../src/http/web/session/session-wire.ts';
import { meKey } from './me.ts';
import { request } from './request.ts';

const passkeysKey = ['passkeys'] as const;
const sessionsKey = ['sessions'] as const;

export function usePasskeys() {
  return useQuery({
    queryKey: passkeysKey,
    queryFn: ({ signal }) => request<PasskeyList>('GET', '/me/passkeys', { signal }),
  });
}

export function useSessions() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => request<SessionList>('GET', '/sessions', { signal }),
  });
}

function useCredentialMutation<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        [meKey, passkeysKey, sessionsKey].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

export const useSetPassword = () =>
  useCredentialMutation((password: string) =>
    request<undefined>('PUT', '/me/password', { body: { password } }),
  );

export const useRemovePassword = () =>
  useCredentialMutation(() => request<undefined>('DELETE', '/me/password'));

export const useBeginTotp = () =>
  useMutation({ mutationFn: () => request<Static<typeof NewTotp>>('POST', '/me/totp') });

export const useConfirmTotp = () =>
  useCredentialMutation((code: string) =>
    request<Static<typeof RecoveryCodes>>('PUT', '/me/totp', { body: { code: code.replaceAll(/\s/g, '') } }),
  );

export const useRemoveTotp = () => useCredentialMutation(() => request<undefined>('DELETE', '/me/totp'));

export const useAddPasskey = (register: (name: string) => Promise<void>) => useCredentialMutation(register);

export const useRemovePasskey = () =>
  useCredentialMutation((id: string) =>
    request<undefined>('DELETE', `/me/passkeys/${encodeURIComponent(id)}`),
  );

export const useEndSession = () =>
  useCredentialMutation((id: string) => request<undefined>('DELETE', `/sessions/${encodeURIComponent(id)}`));

export const useEndOtherSessions = () =>
  useCredentialMutation(() => request<{ ended: number }>('DELETE', '/sessions'));
