/**
 * What an identity provider says about somebody, as names with texts: OpenID Connect has JSON of any shape, SAML attributes with several
 * values. Members of objects are reached by dots, as in `realm_access.roles`.
 */

import { findUsernameFault } from '../account/api-key.ts';
import { type Permission, permissions } from '../account/permission.ts';
import { isMailAddress } from '../mail-address.ts';
import type { SignOnRules } from './identity-provider.ts';

export type Claims = ReadonlyMap<string, readonly string[]>;

const claimsMax = 200;
const valuesMax = 1000;
const textLengthMax = 1000;
const depthMax = 4;

/** Bounded: what is beyond the bounds is left out. */
export function claimsOf(source: object): Claims {
  const found = new Map<string, string[]>();
  const add = (name: string, value: unknown, depth: number) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (depth < depthMax)
        for (const [key, inner] of Object.entries(value).slice(0, claimsMax))
          add(name === '' ? key : `${name}.${key}`, inner, depth + 1);
      return;
    }
    const texts = [value].flat().slice(0, valuesMax).flatMap(textOf);
    if (texts.length > 0 && found.size < claimsMax && name.length <= textLengthMax) found.set(name, texts);
  };
  add('', source, 0);
  return found;
}

function textOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length <= textLengthMax ? [value] : [];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

/** All that the matching rules give; undefined where none matches and nobody gets anything then. */
export function permissionsFor(claims: Claims, rules: SignOnRules): readonly Permission[] | undefined {
  const matching = rules.permissions.filter(({ claim, value }) => claims.get(claim)?.includes(value));
  const given = new Set(matching.flatMap((rule) => rule.permissions));
  if (given.size > 0) return permissions.filter((permission) => given.has(permission));
  return rules.otherwise && permissions.filter((permission) => rules.otherwise?.includes(permission));
}

/** Where identity providers put the address: OpenID Connect, then the names that SAML providers use. */
const emailClaims = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

function findEmail(claims: Claims): string | undefined {
  const found = emailClaims.map((name) => claims.get(name)?.[0]?.trim()).find((text) => text !== undefined);
  return found !== undefined && isMailAddress(found) ? found : undefined;
}

/** The address if the provider has verified it. SAML has no claim for that. */
export function findVerifiedEmail(claims: Claims, kind: 'oidc' | 'saml'): string | undefined {
  const isVerified = kind === 'saml' || claims.get('email_verified')?.[0] === 'true';
  return isVerified ? findEmail(claims) : undefined;
}

/** The address if the provider has verified it and is trusted to, for its domain. */
export function findTrustedEmail(
  claims: Claims,
  { emailDomains }: SignOnRules,
  kind: 'oidc' | 'saml',
): string | undefined {
  const email = findVerifiedEmail(claims, kind);
  if (email === undefined) return undefined;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return emailDomains.some((trusted) => trusted.toLowerCase() === domain) ? email : undefined;
}

const nameClaims = ['preferred_username', 'uid', 'urn:oid:0.9.2342.19200300.100.1.1', 'nickname'];

/** A name for a new person that can be a name here; undefined where no claim has one. */
export function suggestName(claims: Claims, nameClaim: string): string | undefined {
  const email = findEmail(claims);
  const texts =
    nameClaim === ''
      ? [...nameClaims.map((name) => claims.get(name)?.[0]), email]
      : [claims.get(nameClaim)?.[0]];
  return texts.map((text) => text?.trim()).find((text) => text !== undefined && !findUsernameFault(text));
}
