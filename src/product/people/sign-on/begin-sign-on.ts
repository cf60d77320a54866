/** Sends a browser to an identity provider: to sign in, to link an identity to oneself, or to test the provider. */
import { randomBytes } from 'node:crypto';
import { perMinute } from '../../../model/account/limit.ts';
import type { Clock } from '../../../model/clock.ts';
import { minuteMs } from '../../../model/durations.ts';
import type { FoundProvider, SignOnPurpose, SignOnStore } from '../../../store/person/sign-on-store.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import { newToken, type SecretToken } from '../session-token.ts';
import { networkOf } from '../sign-in-throttle.ts';
import type { OidcClient } from './oidc-client.ts';
import type { SamlClient } from './saml-client.ts';
import { SignOnFault } from './sign-on-fault.ts';
import { safeNext, signOnUrls } from './sign-on-urls.ts';

export interface BeginNeeds {
  readonly signOn: Pick<SignOnStore, 'findProvider' | 'createRequest'>;
  readonly usage: Pick<UsageStore, 'charge'>;
  readonly oidc: Pick<OidcClient, 'authorizationUrl'>;
  readonly saml: Pick<SamlClient, 'requestUrl'>;
  readonly clock: Clock;
  readonly ownUrl: () => string;
}

export interface BeginRequest {
  readonly providerId: string;
  readonly kind: 'oidc' | 'saml';
  readonly purpose: SignOnPurpose;
  /** Who links or tests. */
  readonly personId?: string | undefined;
  readonly next?: string | undefined;
  readonly address: string;
}

export interface Begun {
  /** At the provider. */
  readonly url: string;
  /** The digest of the state names the cookie, whose value stays in this browser. */
  readonly stateDigest: string;
  readonly binding: SecretToken;
}

/** How long a person may take at the provider. */
const requestMs = 15 * minuteMs;
const startsPerMinute = 30;
/** Anyone may begin, and each is a row until it is used or too old. */
const requestsMax = 20_000;

/** Throws a SignOnFault, and `too-many-connections`. */
export async function beginSignOn(request: BeginRequest, needs: BeginNeeds): Promise<Begun> {
  const { purpose, personId, address } = request;
  const { provider } = await getProvider(request, needs);
  if (!provider.enabled && purpose !== 'test')
    throw new SignOnFault('no-such-provider', 'the provider is not enabled');
  const nowMs = needs.clock.now();
  const limits = [{ ...perMinute(startsPerMinute), subject: `sign-on/${networkOf(address)}` }];
  if (!(await needs.usage.charge({ limits }, nowMs)).granted)
    throw new SignOnFault('too-many', `more than ${startsPerMinute} sign-ins a minute from ${address}`);
  const [state, binding, nonce, codeVerifier] = [newToken(), newToken(), newToken().token, newToken().token];
  const urls = signOnUrls(provider, needs.ownUrl());
  const requestId = request.kind === 'saml' ? `_${randomBytes(20).toString('hex')}` : undefined;
  const url =
    requestId === undefined
      ? await needs.oidc.authorizationUrl(provider, urls.callback, {
          state: state.token,
          nonce,
          codeVerifier,
        })
      : await needs.saml.requestUrl(provider, urls, { requestId, relayState: state.token });
  const { tokenDigest: stateDigest } = state;
  await needs.signOn.createRequest(
    {
      stateDigest,
      providerId: provider.id,
      purpose,
      requestId,
      binding: binding.tokenDigest,
      nonce,
      codeVerifier,
      next: safeNext(request.next),
      personId,
      expiresMs: nowMs + requestMs,
    },
    requestsMax,
    nowMs,
  );
  return { url, stateDigest, binding };
}

/** A provider of another kind, and one of an account that is disabled, does not exist. */
export async function getProvider(
  { providerId, kind }: Pick<BeginRequest, 'providerId' | 'kind'>,
  { signOn }: { readonly signOn: Pick<SignOnStore, 'findProvider'> },
): Promise<FoundProvider> {
  const found = await signOn.findProvider(providerId);
  if (!found?.account.active || found.provider.connection.kind !== kind)
    throw new SignOnFault('no-such-provider', 'there is no such provider');
  return found;
}
