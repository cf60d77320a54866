/** The people of an account on the wire. */
import { type Static, Type } from 'typebox';
import { type Permission, permissions } from '../../../model/account/permission.ts';

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
  created: Type.String(),
  credentials: Type.Object({ password: Type.Boolean(), totp: Type.Boolean(), passkeys: Type.Integer() }),
});
export type WirePerson = Static<typeof WirePerson>;

export const PeopleAnswer = Type.Object({ people: Type.Array(WirePerson) });
export const PersonAnswer = Type.Object({ person: WirePerson });
export const InvitedAnswer = Type.Object({
  person: WirePerson,
  link: Type.String({ description: 'works once; shown only in this answer' }),
  expires: Type.String(),
});
