/** Identity providers by which the people of an account sign in (single sign-on), and what their claims give. */
import type { Permission } from '../account/permission.ts';

export interface OidcConnection {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
  /** Besides `openid`. */
  readonly scopes: readonly string[];
}

export interface SamlConnection {
  readonly kind: 'saml';
  readonly entityId: string;
  /** Where sign-in requests are sent, by redirect. */
  readonly entryPoint: string;
  /** That signatures of responses are verified with: PEM. */
  readonly certificates: readonly string[];
}

export type ProviderConnection = OidcConnection | SamlConnection;

/** Somebody who has this value of the claim gets these permissions. */
export interface PermissionRule {
  readonly claim: string;
  readonly value: string;
  readonly permissions: readonly Permission[];
}

export interface SignOnRules {
  /** Those that match are joined. */
  readonly permissions: readonly PermissionRule[];
  /** What somebody gets whom no rule matches; undefined: nothing, the sign-in is refused. */
  readonly otherwise?: readonly Permission[] | undefined;
  /** Whether a first sign-in creates the person; else it is refused unless the person exists and is linked. */
  readonly createsPeople: boolean;
  /** The claim that new people are named after; empty: the usual ones. */
  readonly nameClaim: string;
  /** Domains whose e-mail addresses the provider is trusted to verify: people who have one are linked by it. */
  readonly emailDomains: readonly string[];
}

export interface IdentityProvider {
  readonly id: string;
  readonly accountId: string;
  /** On the button. */
  readonly name: string;
  readonly connection: ProviderConnection;
  /** Of OpenID Connect; the store keeps it to itself. */
  readonly hasClientSecret: boolean;
  readonly rules: SignOnRules;
  /** Whether people can sign in by it; a test sign-in is possible before. */
  readonly enabled: boolean;
  /** Whether the page to sign in has a button for it; else people use its link. */
  readonly listed: boolean;
  readonly createdMs: number;
  readonly changedMs: number;
}
