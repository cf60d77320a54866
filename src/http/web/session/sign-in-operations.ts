/** Signing in, by password, passkey or link, and signing out. Each sign-in answers with a new cookie. */
import type { FastifyReply } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import type { Settings } from '../../../model/settings/settings.ts';
import { beginPasskeySignIn, type PasskeyNeeds, signInByPasskey } from '../../../product/people/passkeys.ts';
import { endOwnSession, type SessionNeeds } from '../../../product/people/sessions.ts';
import {
  getLink,
  type NewSignIn,
  type SignInNeeds,
  signInByCode,
  signInByLink,
  signInByPassword,
} from '../../../product/people/sign-in.ts';
import type { SessionCookie } from '../session-cookie.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { clientOf } from './client-of.ts';
import { type MeNeeds, meOnWire } from './me-operations.ts';
import { LinkAnswer, PasskeyOptions, PasswordAnswer, SignedInAnswer } from './session-wire.ts';

export type SignInOperationNeeds = SignInNeeds &
  PasskeyNeeds &
  Pick<SessionNeeds, 'clock'> &
  MeNeeds & {
    readonly sessions: SignInNeeds['sessions'] & PasskeyNeeds['sessions'] & SessionNeeds['sessions'];
    readonly people: SignInNeeds['people'] & PasskeyNeeds['people'] & MeNeeds['people'];
    readonly settings: MeNeeds['settings'] & Pick<Settings, 'http'>;
    readonly cookie: SessionCookie;
  };

const secret = (lengthMax: number) => Type.String({ minLength: 1, maxLength: lengthMax });
const WebAuthnResponse = <Response>() => Type.Unsafe<Response>({ type: 'object' });

interface WayToSignIn<Body extends TObject> {
  readonly path: `/session/${string}`;
  readonly summary: string;
  readonly body: Body;
  readonly signIn: (
    body: Static<Body>,
    client: ReturnType<typeof clientOf>,
    needs: SignInOperationNeeds,
  ) => Promise<NewSignIn>;
}

export function signInOperations(needs: SignInOperationNeeds): readonly WebOperation[] {
  const { settings, cookie } = needs;
  const signedInAnswer = async ({ token, signedIn }: NewSignIn, reply: FastifyReply) => {
    cookie.set(reply, token);
    return { me: await meOnWire(signedIn, needs.clock.now(), needs) };
  };

  /** A way to sign in whose answer is the new session. */
  const signingIn = <Body extends TObject>({ path, summary, body, signIn }: WayToSignIn<Body>) =>
    defineWebOperation({
      method: 'POST',
      path,
      access: 'open',
      summary,
      body,
      answer: SignedInAnswer,
      handle: async ({ body: given, request, reply }) =>
        signedInAnswer(await signIn(given, clientOf(request, settings), needs), reply),
    });

  const postSession = defineWebOperation({
    method: 'POST',
    path: '/session',
    access: 'open',
    summary: 'Signs in by password; answers what is needed next where a code is',
    body: Type.Object({ username: secret(64), password: secret(1024) }),
    answer: PasswordAnswer,
    handle: async ({ body: { username: name, password }, request, reply }) => {
      const outcome = await signInByPassword({ name, password }, clientOf(request, settings), needs);
      return 'next' in outcome ? outcome : signedInAnswer(outcome, reply);
    },
  });

  const postTotp = signingIn({
    path: '/session/totp',
    summary: 'Finishes a sign-in with the code of an authenticator app, or with a recovery code',
    body: Type.Object({ step: secret(64), code: secret(64) }),
    signIn: signInByCode,
  });

  const postPasskeyOptions = defineWebOperation({
    method: 'POST',
    path: '/session/passkey/options',
    access: 'open',
    summary: 'Begins a sign-in by passkey',
    answer: PasskeyOptions,
    handle: () => beginPasskeySignIn(needs),
  });

  const postPasskeyVerify = signingIn({
    path: '/session/passkey/verify',
    summary: 'Finishes a sign-in by passkey',
    body: Type.Object({
      step: secret(256),
      response: WebAuthnResponse<Parameters<typeof signInByPasskey>[0]['response']>(),
    }),
    signIn: signInByPasskey,
  });

  const postLinkPerson = defineWebOperation({
    method: 'POST',
    path: '/session/link/person',
    access: 'open',
    summary: 'Whom a link signs in; does not use it up',
    body: Type.Object({ token: secret(64) }),
    answer: LinkAnswer,
    handle: async ({ body: { token }, request }) => {
      const { person, account } = await getLink(token, clientOf(request, settings), needs);
      return { person: { name: person.name }, account: { name: account.name }, demo: settings.demo };
    },
  });

  const postLink = signingIn({
    path: '/session/link',
    summary: 'Signs in by a one-time link',
    body: Type.Object({ token: secret(64) }),
    signIn: ({ token }, client) => signInByLink(token, client, needs),
  });

  const deleteSession = defineWebOperation({
    method: 'DELETE',
    path: '/session',
    access: 'session',
    summary: 'Signs out',
    answer: Type.Void(),
    handle: async ({ caller, reply }) => {
      cookie.clear(reply);
      await endOwnSession(caller, needs);
    },
  });

  return [
    postSession,
    postTotp,
    postPasskeyOptions,
    postPasskeyVerify,
    postLinkPerson,
    postLink,
    deleteSession,
  ];
}
