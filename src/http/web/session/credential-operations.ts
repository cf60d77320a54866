/** How a person signs in: password, authenticator app, passkeys. Changes need a recent sign-in, and give the session a new token. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  beginOwnTotp,
  type CredentialNeeds,
  confirmOwnTotp,
  removeOwnPassword,
  removeOwnTotp,
  setOwnPassword,
} from '../../../product/people/own-credentials.ts';
import {
  addOwnPasskey,
  beginPasskey,
  type PasskeyNeeds,
  removeOwnPasskey,
} from '../../../product/people/passkeys.ts';
import { renewToken } from '../../../product/people/sessions.ts';
import type { SessionCookie } from '../session-cookie.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { NewTotp, PasskeyList, PasskeyOptions, RecoveryCodes } from './session-wire.ts';

export type CredentialOperationNeeds = CredentialNeeds &
  PasskeyNeeds & {
    readonly people: CredentialNeeds['people'] & PasskeyNeeds['people'];
    readonly sessions: CredentialNeeds['sessions'] & PasskeyNeeds['sessions'];
    readonly cookie: SessionCookie;
  };

const Nothing = Type.Void();

export function credentialOperations(needs: CredentialOperationNeeds): readonly WebOperation[] {
  /** A token from before the change may be known to somebody else. */
  const renewCookie: RenewCookie = async (request, reply) => {
    const token = await renewToken(needs.cookie.find(request), needs);
    if (token !== undefined) needs.cookie.set(reply, token);
  };

  const putPassword = defineWebOperation({
    method: 'PUT',
    path: '/me/password',
    access: 'session',
    summary: 'Sets the password; ends all other sessions',
    body: Type.Object({ password: Type.String({ maxLength: 1024 }) }),
    answer: Nothing,
    handle: async ({ caller, body, request, reply }) => {
      await setOwnPassword(caller, body.password, needs);
      await renewCookie(request, reply);
    },
  });

  const deletePassword = defineWebOperation({
    method: 'DELETE',
    path: '/me/password',
    access: 'session',
    summary: 'Removes the password of a person who has a passkey',
    answer: Nothing,
    handle: ({ caller }) => removeOwnPassword(caller, needs),
  });

  const postTotp = defineWebOperation({
    method: 'POST',
    path: '/me/totp',
    access: 'session',
    summary: 'Begins to set up an authenticator app',
    answer: NewTotp,
    handle: async ({ caller }) => ({ ...(await beginOwnTotp(caller, needs)) }),
  });

  const putTotp = defineWebOperation({
    method: 'PUT',
    path: '/me/totp',
    access: 'session',
    summary: 'Confirms an authenticator app with its first code; answers the recovery codes',
    body: Type.Object({ code: Type.String({ maxLength: 64 }) }),
    answer: RecoveryCodes,
    handle: async ({ caller, body, request, reply }) => {
      const codes = await confirmOwnTotp(caller, body.code, needs);
      await renewCookie(request, reply);
      return { recovery_codes: [...codes] };
    },
  });

  const deleteTotp = defineWebOperation({
    method: 'DELETE',
    path: '/me/totp',
    access: 'session',
    summary: 'Removes the authenticator app and the recovery codes',
    answer: Nothing,
    handle: ({ caller }) => removeOwnTotp(caller, needs),
  });

  return [
    putPassword,
    deletePassword,
    postTotp,
    putTotp,
    deleteTotp,
    ...passkeyOperations(needs, renewCookie),
  ];
}

type RenewCookie = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function passkeyOperations(
  needs: CredentialOperationNeeds,
  renewCookie: RenewCookie,
): readonly WebOperation[] {
  const getPasskeys = defineWebOperation({
    method: 'GET',
    path: '/me/passkeys',
    access: 'session',
    summary: 'Lists the passkeys of the signed-in person',
    answer: PasskeyList,
    handle: async ({ caller }) => {
      const passkeys = await needs.people.listPasskeys(caller.person.id);
      return {
        passkeys: passkeys.map(({ id, name, createdMs, usedMs }) => ({
          id,
          name,
          created: new Date(createdMs).toISOString(),
          used: usedMs === undefined ? null : new Date(usedMs).toISOString(),
        })),
      };
    },
  });

  const postPasskeyOptions = defineWebOperation({
    method: 'POST',
    path: '/me/passkeys/options',
    access: 'session',
    summary: 'Begins the registration of a passkey',
    answer: PasskeyOptions,
    handle: ({ caller }) => beginPasskey(caller, needs),
  });

  const postPasskey = defineWebOperation({
    method: 'POST',
    path: '/me/passkeys',
    access: 'session',
    summary: 'Registers a passkey',
    body: Type.Object({
      step: Type.String({ maxLength: 64 }),
      name: Type.String({ maxLength: 60 }),
      response: Type.Unsafe<Parameters<typeof addOwnPasskey>[1]['response']>({ type: 'object' }),
    }),
    answer: Nothing,
    handle: async ({ caller, body, request, reply }) => {
      await addOwnPasskey(caller, body, needs);
      await renewCookie(request, reply);
    },
  });

  const deletePasskey = defineWebOperation({
    method: 'DELETE',
    path: '/me/passkeys/:id',
    access: 'session',
    summary: 'Removes a passkey',
    params: Type.Object({ id: Type.String() }),
    answer: Nothing,
    handle: ({ caller, params }) => removeOwnPasskey(caller, params.id, needs),
  });

  return [getPasskeys, postPasskeyOptions, postPasskey, deletePasskey];
}
