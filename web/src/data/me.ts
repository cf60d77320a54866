/** Who is signed in, what they may do, and how they like the app to be. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Me as MeWire } from '../../../src/http/web/session/me-wire.ts';
import { regionWords } from '../words/parts.ts';
import type { Received } from './foreign.ts';
import { request } from './request.ts';
import { createStore, useStore } from './store.ts';

export type Me = Received<MeWire>;
export type Preferences = Me['preferences'];

export const meKey = ['me'] as const;

export async function readMe(): Promise<Me> {
  const me = await request<MeWire>('GET', '/me', { open: true });
  preferences.set(me.preferences);
  return me;
}

export function useMe() {
  return useQuery({ queryKey: meKey, queryFn: readMe, staleTime: Number.POSITIVE_INFINITY });
}

const defaults: Preferences = {
  theme: 'system',
  density: 'comfortable',
  zone: 'local',
  single_keys: true,
  guided_pivot_threshold: 500,
};

/** Beside the person: every row of a list reads them, and a subscription to a query is too much for that. */
const preferences = createStore(defaults);

export const usePreferences = (): Preferences => useStore(preferences);
export const preferencesNow = (): Preferences => preferences.get();

export function useChangePreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<Preferences>) => request<MeWire>('PATCH', '/me', { body: changes }),
    onMutate: (changes) => {
      const before = client.getQueryData<Me>(meKey);
      const next = { ...preferences.get(), ...changes };
      preferences.set(next);
      if (before) client.setQueryData<Me>(meKey, { ...before, preferences: next });
      return before;
    },
    onError: (_error, _changes, before) => {
      preferences.set(before?.preferences ?? defaults);
      client.setQueryData(meKey, before);
    },
  });
}

/** Why somebody may not: undefined if they may. */
export function useMissing(permission: 'triage' | 'escalate' | 'manage' | 'admin'): string | undefined {
  const permissions = useMe().data?.permissions ?? [];
  if (permissions.includes(permission) || permissions.includes('admin')) return undefined;
  return regionWords.needs(permission);
}
