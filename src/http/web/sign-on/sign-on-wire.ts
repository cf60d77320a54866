/** Identity providers, what their claims give, and test sign-ins on the wire. */
import { type Static, Type } from 'typebox';
import { type Permission, permissions } from '../../../model/account/permission.ts';
import { NullableText, nullable, oneOf } from '../wire-values.ts';

const PermissionWord = Type.Unsafe<Permission>({ type: 'string', enum: [...permissions] });
const Permissions = Type.Array(PermissionWord, { minItems: 1, maxItems: permissions.length });
const NullablePermissions = Type.Unsafe<Permission[] | null>({ ...Permissions, type: ['array', 'null'] });

const Rule = Type.Object({
  claim: Type.String({ maxLength: 200, description: 'such as groups; members of objects by dots' }),
  value: Type.String({ maxLength: 500 }),
  permissions: Permissions,
});

const Rules = Type.Object({
  rules: Type.Array(Rule, { maxItems: 100, description: 'the permissions of all that match are joined' }),
  otherwise: NullablePermissions,
  creates_people: Type.Boolean({ description: 'a first sign-in creates the person' }),
  name_claim: Type.String({
    maxLength: 200,
    description: 'new people are named after it; empty: the usual ones',
  }),
  email_domains: Type.Array(Type.String({ maxLength: 253 }), {
    maxItems: 20,
    description:
      'the provider is trusted to verify addresses of these domains: people who have one are linked by it',
  }),
});
export type WireRules = Static<typeof Rules>;

export const OidcBody = Type.Object({
  issuer: Type.String({ maxLength: 500 }),
  client_id: Type.String({ maxLength: 200 }),
  client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  scopes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
});

export const SamlBody = Type.Object({
  metadata: Type.Optional(Type.String({ maxLength: 900_000, description: 'XML' })),
  metadata_url: Type.Optional(Type.String({ maxLength: 500 })),
  entity_id: Type.Optional(Type.String({ maxLength: 500 })),
  entry_point: Type.Optional(Type.String({ maxLength: 1000 })),
  certificates: Type.Optional(Type.Array(Type.String({ maxLength: 20_000 }), { maxItems: 10 })),
});

const common = { enabled: Type.Optional(Type.Boolean()), listed: Type.Optional(Type.Boolean()) };
const Name = Type.String({ minLength: 1, maxLength: 60, description: 'on the button' });

/** POST /ui/api/identity-providers, with either `oidc` or `saml` */
export const ProviderBody = Type.Object({
  name: Name,
  oidc: Type.Optional(OidcBody),
  saml: Type.Optional(SamlBody),
  mapping: Type.Optional(Rules),
  ...common,
});
export type ProviderBody = Static<typeof ProviderBody>;

/** PATCH /ui/api/identity-providers/:id; members left out stay */
export const ProviderChangeBody = Type.Object({
  name: Type.Optional(Name),
  oidc: Type.Optional(OidcBody),
  saml: Type.Optional(SamlBody),
  mapping: Type.Optional(Rules),
  ...common,
});
export type ProviderChangeBody = Static<typeof ProviderChangeBody>;

const Certificate = Type.Object({
  subject: Type.String(),
  expires: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256' }),
});

export const ProviderView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: oneOf(['oidc', 'saml']),
  enabled: Type.Boolean(),
  listed: Type.Boolean({ description: 'has a button on the page to sign in' }),
  oidc: nullable<{ issuer: string; client_id: string; scopes: string[]; has_secret: boolean }>(),
  saml: nullable<{ entity_id: string; entry_point: string; certificates: Static<typeof Certificate>[] }>(),
  mapping: Rules,
  urls: Type.Object(
    {
      start: Type.String(),
      callback: NullableText,
      acs: NullableText,
      metadata: NullableText,
    },
    { description: 'what the provider must know; null where its kind has none' },
  ),
  created: Type.String(),
});
export type ProviderView = Static<typeof ProviderView>;

/** GET /ui/api/identity-providers */
export const ProviderList = Type.Object({
  required: Type.Boolean({ description: 'people of the account sign in by these providers alone' }),
  providers: Type.Array(ProviderView),
});
export type ProviderList = Static<typeof ProviderList>;

/** PUT /ui/api/sign-on */
export const RequiredBody = Type.Object({ required: Type.Boolean() });

/** Where the browser must go next: an address at the provider. */
export const BegunAnswer = Type.Object({ url: Type.String() });
export type BegunAnswer = Static<typeof BegunAnswer>;

/** GET /ui/api/identity-providers/tests/:token */
export const TestAnswer = Type.Object({
  provider_id: Type.String(),
  subject: NullableText,
  claims: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Type.String()) })),
  would: nullable<{ does: 'enter' | 'link' | 'create'; name: string; permissions: Permission[] }>(),
  fault: nullable<{ code: SignOnFaultWord; detail: string }>('why it would be refused'),
});
export type TestAnswer = Static<typeof TestAnswer>;

/** Also in the address of the page to sign in, after a refusal. */
export type SignOnFaultWord =
  | 'no-such-provider'
  | 'too-many'
  | 'expired'
  | 'provider-refused'
  | 'unreachable'
  | 'not-verified'
  | 'not-permitted'
  | 'unknown-person'
  | 'name-taken'
  | 'disabled';

/** GET /ui/api/session/providers: for everybody, so it says no more than the buttons show */
export const OfferedProviders = Type.Object({
  providers: Type.Array(Type.Object({ name: Type.String(), path: Type.String() })),
});
export type OfferedProviders = Static<typeof OfferedProviders>;

/** GET /ui/api/me/identities */
export const OwnIdentities = Type.Object({
  identities: Type.Array(Type.Object({ id: Type.String(), provider: Type.String(), created: Type.String() })),
  available: Type.Array(Type.Object({ id: Type.String(), provider: Type.String() })),
});
export type OwnIdentities = Static<typeof OwnIdentities>;
