/** The people of an account on the wire. */
import { type Static, Type } from 'typebox';
import { type Permission, permissions } from '../../../model/account/permission.ts';
import { NullableText } from '../wire-values.ts';

export const PermissionList = Type.Array(
  Type.Unsafe<Permission>({ type: 'string', enum: [...permissions] }),
  {
    minItems: 1,
    maxItems: permissions.length,
  },
);

export const WirePerson = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  permissions: PermissionList,
  api_owner: Type.Boolean(),
  operator: Type.Boolean(),
  created: Type.String(),
  disabled: NullableText,
  sessions: Type.Integer({ description: 'browsers in which the person is signed in' }),
  seen: { ...NullableText, description: 'the last request of an open session, to the minute' },
  credentials: Type.Object({
    password: Type.Boolean(),
    totp: Type.Boolean(),
    passkeys: Type.Integer(),
    identities: Type.Integer({ description: 'at identity providers of the account' }),
  }),
});
export type WirePerson = Static<typeof WirePerson>;

export const PeopleAnswer = Type.Object({ people: Type.Array(WirePerson) });
export const PersonAnswer = Type.Object({ person: WirePerson });
export const InvitedAnswer = Type.Object({
  person: WirePerson,
  link: Type.String({ description: 'works once; shown only in this answer' }),
  expires: Type.String(),
  mailed: Type.Boolean({ description: 'the link was also sent to the address of the person' }),
  mail_error: { ...NullableText, description: 'why it was not, where it should have been' },
});
