/** The people of the account. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  InvitedAnswer,
  PeopleAnswer,
  PersonAnswer,
  WirePerson,
} from '../../../../src/http/web/session/people-wire.ts';
import type { Received } from '../foreign.ts';
import { request } from '../request.ts';

export type Person = Received<WirePerson>;
export type PermissionName = WirePerson['permissions'][number];
export type Invited = Received<Static<typeof InvitedAnswer>>;

export interface NewPerson {
  readonly name: string;
  readonly email?: string;
  readonly permissions: readonly PermissionName[];
}

export interface PersonChange {
  readonly email?: string | null;
  readonly permissions?: readonly PermissionName[];
  readonly disabled?: boolean;
}

const peopleKey = ['people'] as const;
const pathOf = (id: string, part = '') => `/people/${encodeURIComponent(id)}${part}`;

export function usePeople(enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: peopleKey,
    queryFn: ({ signal }) => request<Static<typeof PeopleAnswer>>('GET', '/people', { signal }),
  });
}

function usePeopleMutation<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: peopleKey }),
  });
}

export const useInvite = () =>
  usePeopleMutation((body: NewPerson) => request<Static<typeof InvitedAnswer>>('POST', '/people', { body }));

export const useInviteAgain = (id: string) =>
  usePeopleMutation(() => request<Static<typeof InvitedAnswer>>('POST', pathOf(id, '/invite')));

export const useChangePerson = (id: string) =>
  usePeopleMutation((body: PersonChange) =>
    request<Static<typeof PersonAnswer>>('PATCH', pathOf(id), { body }),
  );

export const useSignOutPerson = (id: string) =>
  usePeopleMutation(() => request<{ ended: number }>('DELETE', pathOf(id, '/sessions')));

export const useResetFactors = (id: string) =>
  usePeopleMutation(() => request<Static<typeof PersonAnswer>>('DELETE', pathOf(id, '/second-factors')));

export const useRemovePerson = (id: string) =>
  usePeopleMutation(() => request<undefined>('DELETE', pathOf(id)));
