/**
 * OpenID Connect: the authorization code flow with PKCE, state and nonce. openid-client verifies; every request that it makes goes through the
 * guarded dialer. What a provider publishes about itself is read again after some minutes.
 */
import type { Configuration } from 'openid-client';
import { containsAddress } from '../../../model/address/address-list.ts';
import type { Clock } from '../../../model/clock.ts';
import { minuteMs, secondMs } from '../../../model/durations.ts';
import type { IdentityProvider, OidcConnection } from '../../../model/person/identity-provider.ts';
import { type Claims, claimsOf } from '../../../model/person/sign-on-claims.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { createDialer } from '../../../outgoing/guarded-dialer.ts';
import { type GuardedFetch, guardedFetch } from '../../../outgoing/guarded-fetch.ts';
import type { SignOnStore } from '../../../store/person/sign-on-store.ts';
import { SignOnFault } from './sign-on-fault.ts';

export interface OidcNeeds {
  readonly signOn: Pick<SignOnStore, 'findClientSecret'>;
  readonly settings: Pick<Settings, 'outgoing'>;
  readonly clock: Clock;
}

/** What the provider says, verified. */
export interface Verified {
  readonly subject: string;
  readonly claims: Claims;
}

export interface OidcSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

const timeoutMs = 10 * secondMs;
const bytesMax = 1 << 20;
/** How far the clocks of provider and server may differ. */
export const clockSkewSeconds = 60;
const cachedMs = 10 * minuteMs;
const subjectLengthMax = 255;

interface Cached {
  readonly changedMs: number;
  readonly readMs: number;
  readonly configuration: Promise<Configuration>;
}

/** Loaded with the first sign-in: most servers have no identity provider. */
const loadLibrary = () => import('openid-client');

export class OidcClient {
  readonly #needs: OidcNeeds;
  readonly #send: GuardedFetch;
  readonly #configurations = new Map<string, Cached>();

  constructor(needs: OidcNeeds) {
    this.#needs = needs;
    this.#send = guardedFetch(createDialer(needs), { timeoutMs, bytesMax });
  }

  /** Throws a SignOnFault for a provider that cannot be reached or is not the one that was configured. */
  async discover(connection: OidcConnection, clientSecret: string | undefined): Promise<Configuration> {
    const library = await loadLibrary();
    const { issuer, clientId } = connection;
    const isPlain = isAllowedPlainUrl(issuer, this.#needs.settings);
    const found = await library
      .discovery(new URL(issuer), clientId, { [library.clockTolerance]: clockSkewSeconds }, library.None(), {
        [library.customFetch]: (url, options) => this.#send(url, options),
        timeout: timeoutMs / secondMs,
        ...(isPlain ? { execute: [library.allowInsecureRequests] } : {}),
      })
      .catch((error: unknown) => {
        throw unreachable(error);
      });
    const metadata = found.serverMetadata();
    // Providers with one address for many tenants publish a pattern, and would vouch for people of all of them.
    if (metadata.issuer.includes('{'))
      throw new SignOnFault(
        'not-verified',
        `${issuer} is shared by many tenants; use the issuer of your own`,
      );
    if (clientSecret === undefined) return found;
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication = methods.includes('client_secret_basic')
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret);
    const known = { [library.clockTolerance]: clockSkewSeconds };
    const configuration = new library.Configuration(metadata, clientId, known, authentication);
    configuration[library.customFetch] = (url, options) => this.#send(url, options);
    configuration.timeout = timeoutMs / secondMs;
    if (isPlain) library.allowInsecureRequests(configuration);
    return configuration;
  }

  async authorizationUrl(
    provider: IdentityProvider,
    redirectUri: string,
    { state, nonce, codeVerifier }: OidcSecrets,
  ): Promise<string> {
    const library = await loadLibrary();
    const configuration = await this.#configurationOf(provider);
    const { scopes } = connectionOf(provider);
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: ['openid', ...scopes].join(' '),
      code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return url.href;
  }

  /** `callbackUrl`: with the query that the provider sent. Throws a SignOnFault. */
  async verify(provider: IdentityProvider, callbackUrl: URL, secrets: OidcSecrets): Promise<Verified> {
    const library = await loadLibrary();
    const configuration = await this.#configurationOf(provider);
    try {
      const tokens = await library.authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      const subject = claims?.sub ?? '';
      if (subject === '' || subject.length > subjectLengthMax)
        throw new SignOnFault('not-verified', 'the ID token names nobody, or by too long a subject');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await library.fetchUserInfo(configuration, tokens.access_token, subject) : {};
      return { subject, claims: claimsOf(withoutProtocol({ ...more, ...claims })) };
    } catch (error) {
      throw error instanceof SignOnFault ? error : faultOf(error);
    }
  }

  #configurationOf(provider: IdentityProvider): Promise<Configuration> {
    const { id, changedMs } = provider;
    const nowMs = this.#needs.clock.now();
    const known = this.#configurations.get(id);
    if (known?.changedMs === changedMs && Math.abs(nowMs - known.readMs) < cachedMs)
      return known.configuration;
    const configuration = this.#needs.signOn
      .findClientSecret(id)
      .then((secret) => this.discover(connectionOf(provider), secret));
    this.#configurations.set(id, { changedMs, readMs: nowMs, configuration });
    configuration.catch(() => this.#configurations.delete(id));
    return configuration;
  }
}

/** Claims about the token, not about the person. */
const protocolClaims =
  /^(?:sub|iss|aud|exp|iat|nbf|jti|nonce|azp|sid|auth_time|at_hash|c_hash|s_hash|uti|rh|aio)$/;

function withoutProtocol(claims: object): object {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !protocolClaims.test(name)));
}

function connectionOf({ connection }: IdentityProvider): OidcConnection {
  if (connection.kind !== 'oidc')
    throw new SignOnFault('no-such-provider', 'the provider is not of this kind');
  return connection;
}

/** Without TLS only to an address that the operator has allowed by itself, such as a provider on the same machine. */
export function isAllowedPlainUrl(text: string, { outgoing }: Pick<Settings, 'outgoing'>): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:') return false;
  const host = url.hostname === 'localhost' ? '127.0.0.1' : url.hostname.replaceAll(/[[\]]/g, '');
  return containsAddress(outgoing.allow, host);
}

/** Failures of the network are Problems of the dialer, in the cause of what the library throws. */
function findProblem(error: unknown): Problem | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Problem) return at;
  return undefined;
}

function unreachable(error: unknown): SignOnFault {
  const problem = findProblem(error);
  return new SignOnFault('unreachable', problem?.message ?? messageOf(error), error);
}

function faultOf(error: unknown): SignOnFault {
  if (findProblem(error)) return unreachable(error);
  const { code, error: answered } = error as { code?: unknown; error?: unknown };
  const isAnswer = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR';
  const detail = typeof answered === 'string' ? `${messageOf(error)}: ${answered}` : messageOf(error);
  return new SignOnFault(isAnswer ? 'provider-refused' : 'not-verified', detail, error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
