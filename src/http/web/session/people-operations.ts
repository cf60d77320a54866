/** The people of an account, for its administrators. */
import { Type } from 'typebox';
import { perMinute } from '../../../model/account/limit.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { usageOwner } from '../../../product/account/product-limits.ts';
import {
  type Colleague,
  changePerson,
  type Invited,
  inviteAgain,
  invitePerson,
  listAccountPeople,
  type PeopleNeeds,
  removeColleague,
  resetColleagueFactors,
  signOutColleague,
} from '../../../product/people/administer-people.ts';
import { mailInvitation } from '../../../product/people/invitation-mail.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { InvitedAnswer, PeopleAnswer, PermissionList, PersonAnswer, type WirePerson } from './people-wire.ts';

export type PeopleOperationNeeds = PeopleNeeds & {
  readonly ownUrl: () => string;
  readonly usage: Pick<UsageStore, 'charge'>;
  readonly settings: PeopleNeeds['settings'] & Pick<Settings, 'mail'>;
};

/** Each sends something to an address that somebody typed. */
const mailsPerMinute = 10;

const readOnly = ['read'] as const;
const Id = Type.Object({ id: Type.String() });
const Email = Type.String({ maxLength: 254 });

export function peopleOperations(needs: PeopleOperationNeeds): readonly WebOperation[] {
  const invitedOnWire = async ({ found, link }: Invited, caller: WebCaller, nowMs: number) => {
    const url = needs.ownUrl() + link.path;
    const { email } = found.person;
    const mailError =
      email === undefined || needs.settings.mail.host === ''
        ? undefined
        : await findMailError({ to: email, url, expiresMs: link.expiresMs }, caller, needs, nowMs);
    return {
      person: onWire(found),
      link: url,
      expires: new Date(link.expiresMs).toISOString(),
      mailed: mailError === null,
      mail_error: mailError ?? null,
    };
  };

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
    handle: async ({ caller, body: { name, email, permissions = [...readOnly] }, nowMs }) =>
      invitedOnWire(await invitePerson(caller, { name, email, permissions }, needs), caller, nowMs),
  });

  const patchPerson = defineWebOperation({
    method: 'PATCH',
    path: '/people/:id',
    access: 'admin',
    summary: 'Changes permissions or e-mail address (null removes it), disables and enables',
    params: Id,
    body: Type.Object({
      email: Type.Optional(Type.Union([Email, Type.Null()])),
      permissions: Type.Optional(PermissionList),
      disabled: Type.Optional(Type.Boolean()),
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
    handle: async ({ caller, params, nowMs }) =>
      invitedOnWire(await inviteAgain(caller, params.id, needs), caller, nowMs),
  });

  const deleteSessions = defineWebOperation({
    method: 'DELETE',
    path: '/people/:id/sessions',
    access: 'admin',
    summary: 'Ends all sessions of a person; of oneself all others',
    params: Id,
    answer: Type.Object({ ended: Type.Integer() }),
    handle: async ({ caller, params }) => ({ ended: await signOutColleague(caller, params.id, needs) }),
  });

  const deleteFactors = defineWebOperation({
    method: 'DELETE',
    path: '/people/:id/second-factors',
    access: 'admin',
    summary: 'Removes the passkeys and the authenticator app of a person; all sessions end',
    params: Id,
    answer: PersonAnswer,
    handle: async ({ caller, params }) => ({
      person: onWire(await resetColleagueFactors(caller, params.id, needs)),
    }),
  });

  return [getPeople, postPerson, patchPerson, deletePerson, postInvite, deleteSessions, deleteFactors];
}

/** Null if it was sent. A mail that fails leaves the link, which is shown as well. */
async function findMailError(
  mail: { readonly to: string; readonly url: string; readonly expiresMs: number },
  { account, person }: WebCaller,
  { usage, settings }: PeopleOperationNeeds,
  nowMs: number,
): Promise<string | null> {
  const subject = `${usageOwner(account)}/invitation-mails`;
  const limits = [{ ...perMinute(mailsPerMinute), subject }];
  const outcome = await usage.charge({ limits }, nowMs);
  if (!outcome.granted) return `No more than ${mailsPerMinute} invitations are mailed a minute.`;
  try {
    await mailInvitation({ ...mail, from: person.name, account: account.name }, settings);
    return null;
  } catch (error) {
    if (error instanceof Problem) return `The mail server did not accept it: ${error.message}`;
    throw error;
  }
}

function onWire({ person, apiOwner, sessions }: Colleague): WirePerson {
  const { id, name, email = null, permissions, createdMs, credentials, operator, disabledMs } = person;
  const seenMs = Math.max(0, ...sessions.map((session) => session.seenMs));
  return {
    id,
    name,
    email,
    permissions: [...permissions],
    api_owner: apiOwner,
    operator,
    created: new Date(createdMs).toISOString(),
    disabled: disabledMs === undefined ? null : new Date(disabledMs).toISOString(),
    sessions: sessions.length,
    seen: seenMs === 0 ? null : new Date(seenMs).toISOString(),
    credentials: {
      password: credentials.hasPassword,
      totp: credentials.hasTotp,
      passkeys: credentials.passkeys,
      identities: credentials.identities,
    },
  };
}
