/** Signing in and out on the wire. */
import { type Static, Type } from 'typebox';
import { Me } from './me-wire.ts';

/** `step` goes back with the code. */
export const CodeNeeded = Type.Object({ next: Type.Literal('totp'), step: Type.String() });
export const SignedInAnswer = Type.Object({ me: Me });
export const PasswordAnswer = Type.Union([SignedInAnswer, CodeNeeded]);
export type PasswordAnswer = Static<typeof PasswordAnswer>;

/** Whom a link signs in; reading it does not use it up. */
export const LinkAnswer = Type.Object({
  person: Type.Object({ name: Type.String() }),
  account: Type.Object({ name: Type.String() }),
  demo: Type.Boolean(),
});
export type LinkAnswer = Static<typeof LinkAnswer>;

/** `options` is for the browser's own functions, `step` goes back with their result. */
export const PasskeyOptions = Type.Object({
  step: Type.String(),
  options: Type.Unsafe<object>({ type: 'object' }),
});

export const WireSession = Type.Object({
  id: Type.String(),
  current: Type.Boolean({ description: 'the session of this request' }),
  created: Type.String(),
  seen: Type.String({ description: 'the last request, to the minute' }),
  address: Type.String(),
  agent: Type.String({ description: 'the User-Agent header' }),
});
export const SessionList = Type.Object({ sessions: Type.Array(WireSession) });
export type SessionList = Static<typeof SessionList>;

export const NewTotp = Type.Object({
  secret: Type.String({ description: 'base32' }),
  uri: Type.String({ description: 'for the QR code' }),
});
export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'shown only in this answer' }),
});
export const PasskeyList = Type.Object({
  passkeys: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      created: Type.String(),
      used: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
export type PasskeyList = Static<typeof PasskeyList>;
