/** The people of an account, for its administrators. */
import { Type } from 'typebox';
import {
  changePerson,
  type Invited,
  inviteAgain,
  invitePerson,
  listAccountPeople,
  type PeopleNeeds,
  removeColleague,
} from '../../../product/people/administer-people.ts';
import type { FoundPerson } from '../../../store/person/person-store.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { InvitedAnswer, PeopleAnswer, PermissionList, PersonAnswer, type WirePerson } from './people-wire.ts';

export type PeopleOperationNeeds = PeopleNeeds & { readonly ownUrl: () => string };

const readOnly = ['read'] as const;
const Id = Type.Object({ id: Type.String() });
const Email = Type.String({ maxLength: 254 });

export function peopleOperations(needs: PeopleOperationNeeds): readonly WebOperation[] {
  const invitedOnWire = ({ found, link }: Invited) => ({
    person: onWire(found),
    link: needs.ownUrl() + link.path,
    expires: new Date(link.expiresMs).toISOString(),
  });

  const getPeople = defineWebOperation({
    method: 'GET',
    path: '/people',
    access: 'admin',
    summary: 'Lists the people of the account',
    answer: PeopleAnswer,
    handle: async ({ caller }) => ({ people: (await listAccountPeople(caller, needs)).map(onWire) }),
  });

  const postPerson = defineWebOperation({
    method: 'POST',
    path: '/people',
    access: 'admin',
    summary: 'Invites a person; answers a link that works once',
    body: Type.Object({
      name: Type.String({ maxLength: 64 }),
      email: Type.Optional(Email),
      permissions: Type.Optional(PermissionList),
    }),
    answer: InvitedAnswer,
    handle: async ({ caller, body: { name, email, permissions = [...readOnly] } }) =>
      invitedOnWire(await invitePerson(caller, { name, email, permissions }, needs)),
  });

  const patchPerson = defineWebOperation({
    method: 'PATCH',
    path: '/people/:id',
    access: 'admin',
    summary: 'Changes permissions or e-mail address; null removes the address',
    params: Id,
    body: Type.Object({
      email: Type.Optional(Type.Union([Email, Type.Null()])),
      permissions: Type.Optional(PermissionList),
    }),
    answer: PersonAnswer,
    handle: async ({ caller, params, body }) => ({
      person: onWire(await changePerson(caller, params.id, body, needs)),
    }),
  });

  const deletePerson = defineWebOperation({
    method: 'DELETE',
    path: '/people/:id',
    access: 'admin',
    summary: 'Removes a person; all sessions end at once',
    params: Id,
    answer: Type.Void(),
    handle: ({ caller, params }) => removeColleague(caller, params.id, needs),
  });

  const postInvite = defineWebOperation({
    method: 'POST',
    path: '/people/:id/invite',
    access: 'admin',
    summary: 'Makes a new link for a person; the one before stops working',
    params: Id,
    answer: InvitedAnswer,
    handle: async ({ caller, params }) => invitedOnWire(await inviteAgain(caller, params.id, needs)),
  });

  return [getPeople, postPerson, patchPerson, deletePerson, postInvite];
}

function onWire({ person, apiOwner }: FoundPerson): WirePerson {
  const { id, name, email = null, permissions, createdMs, credentials } = person;
  return {
    id,
    name,
    email,
    permissions: [...permissions],
    api_owner: apiOwner,
    created: new Date(createdMs).toISOString(),
    credentials: {
      password: credentials.hasPassword,
      totp: credentials.hasTotp,
      passkeys: credentials.passkeys,
    },
  };
}
