/** The signed-in person on the wire. */
import { type Static, Type } from 'typebox';

const oneOf = <Word extends string>(words: readonly Word[]) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words] });

export const WirePreferences = Type.Object({
  theme: oneOf(['system', 'light', 'dark']),
  density: oneOf(['comfortable', 'compact']),
  zone: oneOf(['local', 'utc']),
  single_keys: Type.Boolean(),
  guided_pivot_threshold: Type.Integer({ minimum: 1, maximum: 10_000 }),
});

export const Me = Type.Object({
  person: Type.Object({ name: Type.String(), email: Type.Optional(Type.String()) }),
  account: Type.Object({ name: Type.String() }),
  permissions: Type.Array(Type.String(), {
    description: 'all that the person has; admin includes the others',
  }),
  api_owner: Type.Boolean({ description: 'the API user of the same name is the API owner of the account' }),
  operator: Type.Boolean({ description: 'sees how the whole server does; given on the command line alone' }),
  credentials: Type.Object({
    password: Type.Boolean(),
    totp: Type.Boolean(),
    passkeys: Type.Integer(),
    recovery_codes: Type.Integer({ description: 'how many are left' }),
  }),
  setup_needed: Type.Boolean({
    description:
      'neither password nor passkey yet: operations that need a permission answer 403 setup-needed',
  }),
  signed_in: Type.String({ description: 'time of the sign-in' }),
  preferences: WirePreferences,
  server: Type.Object({
    version: Type.String(),
    demo: Type.Boolean(),
    time: Type.String(),
    features: Type.Array(Type.String()),
  }),
});
export type Me = Static<typeof Me>;
