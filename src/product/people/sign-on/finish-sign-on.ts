/**
 * What comes back from an identity provider. A request is used once, whatever comes of it, and by the browser that left with it alone. SAML
 * comes as a POST of another site, without cookies: it is verified, put aside, and fetched by the browser with its cookie right after.
 */
import { perHour } from '../../../model/account/limit.ts';
import type { Clock } from '../../../model/clock.ts';
import { minuteMs } from '../../../model/durations.ts';
import type {
  FoundProvider,
  SignOnPurpose,
  SignOnRequest,
  SignOnStore,
} from '../../../store/person/sign-on-store.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import { findTokenDigest, newToken } from '../session-token.ts';
import { signOnActor } from './find-signed-on-person.ts';
import type { OidcClient, Verified } from './oidc-client.ts';
import type { SamlClient } from './saml-client.ts';
import { readSamlText } from './saml-text.ts';
import { SignOnFault } from './sign-on-fault.ts';
import { signOnUrls } from './sign-on-urls.ts';

export interface FinishNeeds {
  readonly signOn: Pick<
    SignOnStore,
    | 'findRequest'
    | 'findRequestById'
    | 'useRequest'
    | 'createResult'
    | 'findResult'
    | 'useResult'
    | 'recordRefusal'
  >;
  readonly usage: Pick<UsageStore, 'charge'>;
  readonly oidc: Pick<OidcClient, 'verify'>;
  readonly saml: Pick<SamlClient, 'verify'>;
  readonly clock: Clock;
  readonly ownUrl: () => string;
}

/** A sign-in that came back, with what the provider says or why that does not count. */
export interface Returned {
  readonly purpose: SignOnPurpose;
  readonly personId?: string | undefined;
  readonly next: string;
  readonly outcome: Verified | SignOnFault;
}

/** The token of the cookie by the digest of the state. */
export type FindBinding = (stateDigest: string) => string | undefined;

/** Between the POST of SAML and the browser that fetches what came of it. */
const resultMs = 5 * minuteMs;
/** A log that only grows must not be filled by others. */
const refusalsPerHour = 100;

export async function finishOidc(
  provider: FoundProvider,
  query: string,
  findBinding: FindBinding,
  needs: FinishNeeds,
): Promise<Returned> {
  const state = new URLSearchParams(query).get('state') ?? '';
  const stateDigest = findTokenDigest(state) ?? '';
  const request = await needs.signOn.findRequest(stateDigest, needs.clock.now());
  const begun = await useOwnRequest(provider, request, needs, findBinding);
  const { callback } = signOnUrls(provider.provider, needs.ownUrl());
  const { nonce, codeVerifier } = begun;
  const verify = () =>
    needs.oidc.verify(provider.provider, new URL(`${callback}?${query}`), { state, nonce, codeVerifier });
  return { ...begun, outcome: await verify().catch(faultOrThrow) };
}

/** Returns the token by which the browser fetches the result. Throws a SignOnFault for a response to no request of ours. */
export async function receiveSaml(
  provider: FoundProvider,
  { samlResponse, relayState }: { readonly samlResponse: string; readonly relayState: string },
  needs: FinishNeeds,
): Promise<string> {
  const nowMs = needs.clock.now();
  const text = readSamlText(samlResponse);
  const request = await needs.signOn.findRequestById(text.inResponseTo ?? '', nowMs);
  const begun = await useOwnRequest(provider, request, needs);
  const requestId = begun.requestId ?? '';
  const verify = async () => {
    if (findTokenDigest(relayState) !== begun.stateDigest)
      throw new SignOnFault('not-verified', 'the RelayState is not that of the request');
    const urls = signOnUrls(provider.provider, needs.ownUrl());
    return needs.saml.verify(provider.provider, urls, { text, requestId });
  };
  const outcome = await verify().catch(faultOrThrow);
  const { token, tokenDigest } = newToken();
  const content = JSON.stringify(resultOf(begun, outcome));
  await needs.signOn.createResult({ tokenDigest, content, expiresMs: nowMs + resultMs }, nowMs);
  return token;
}

/** In the browser that left with the request, once. */
export async function finishSaml(
  provider: FoundProvider,
  token: string,
  findBinding: FindBinding,
  needs: FinishNeeds,
): Promise<Returned> {
  const digest = findTokenDigest(token) ?? '';
  const content = await needs.signOn.findResult(digest, needs.clock.now());
  const stored = content === undefined ? undefined : (JSON.parse(content) as StoredResult);
  if (!stored || stored.kind !== 'saml' || stored.providerId !== provider.provider.id)
    throw expired('no such result');
  requireBrowser(stored, findBinding);
  if (!(await needs.signOn.useResult(digest))) throw expired('the result was used');
  const { verified, fault } = stored;
  const outcome = fault
    ? new SignOnFault(fault.code, fault.detail)
    : { subject: verified?.subject ?? '', claims: new Map(verified?.claims) };
  return { ...stored, outcome };
}

interface StoredResult
  extends Pick<SignOnRequest, 'stateDigest' | 'providerId' | 'purpose' | 'binding' | 'next' | 'personId'> {
  readonly kind: 'saml';
  readonly verified?: { readonly subject: string; readonly claims: [string, readonly string[]][] };
  readonly fault?: { readonly code: SignOnFault['code']; readonly detail: string };
}

function resultOf(request: SignOnRequest, outcome: Verified | SignOnFault): StoredResult {
  const { stateDigest, providerId, purpose, binding, next, personId } = request;
  const common = { kind: 'saml', stateDigest, providerId, purpose, binding, next, personId } as const;
  return outcome instanceof SignOnFault
    ? { ...common, fault: { code: outcome.code, detail: outcome.message } }
    : { ...common, verified: { subject: outcome.subject, claims: [...outcome.claims] } };
}

/** A request of another provider is none of this one: a provider cannot answer for another (mix-up). */
async function useOwnRequest(
  { provider }: FoundProvider,
  request: SignOnRequest | undefined,
  { signOn }: FinishNeeds,
  findBinding?: FindBinding,
): Promise<SignOnRequest> {
  if (!request || request.providerId !== provider.id)
    throw expired('it answers no request, or one that was used or is too old');
  if (findBinding) requireBrowser(request, findBinding);
  if (!(await signOn.useRequest(request.stateDigest))) throw expired('the request was used');
  return request;
}

function requireBrowser(
  { stateDigest, binding }: Pick<SignOnRequest, 'stateDigest' | 'binding'>,
  findBinding: FindBinding,
): void {
  if (findTokenDigest(findBinding(stateDigest)) !== binding) throw expired('another browser has begun it');
}

/** Writes the refusal to the audit log of the account, as long as there are not too many. */
export async function recordRefusal(
  { provider, account }: FoundProvider,
  fault: SignOnFault,
  address: string,
  { signOn, usage, clock }: Pick<FinishNeeds, 'signOn' | 'usage' | 'clock'>,
): Promise<void> {
  const nowMs = clock.now();
  const limits = [{ ...perHour(refusalsPerHour), subject: `sign-on-refusals/${provider.id}` }];
  if (!(await usage.charge({ limits }, nowMs)).granted) return;
  const detail = { provider: provider.name, refused: fault.code, why: fault.message, address };
  await signOn.recordRefusal({ account: account.name, detail }, { actor: signOnActor, atMs: nowMs });
}

function faultOrThrow(error: unknown): SignOnFault {
  if (error instanceof SignOnFault) return error;
  throw error;
}

function expired(why: string): SignOnFault {
  return new SignOnFault('expired', why);
}
