/**
 * SAML 2.0: requests by redirect, responses by POST. node-saml verifies the signatures of response and assertion, both of which are required, in
 * a thread of its own; `saml-text.ts` decides what it gets to see, and `saml-assertion.ts` what counts of the result.
 */
import { createHash } from 'node:crypto';
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { Clock } from '../../../model/clock.ts';
import { dayMs, secondMs } from '../../../model/durations.ts';
import type { IdentityProvider, SamlConnection } from '../../../model/person/identity-provider.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import { clockSkewSeconds, type Verified } from './oidc-client.ts';
import { checkAssertion } from './saml-assertion.ts';
import type { SamlText } from './saml-text.ts';
import type { SamlCalls, SamlParties } from './saml-worker.ts';
import { SignOnFault } from './sign-on-fault.ts';
import type { SignOnUrls } from './sign-on-urls.ts';

export interface SamlNeeds {
  readonly usage: Pick<UsageStore, 'claim'>;
  readonly clock: Clock;
}

/** Each takes the thread for up to a second. */
const waitingMax = 20;

export class SamlClient {
  readonly #needs: SamlNeeds;
  readonly #worker = new WorkerClient<SamlCalls, 'saml'>({
    file: new URL('./saml-worker.ts', import.meta.url),
    workerData: undefined,
    owner: 'single sign-on by SAML',
    finish: [],
  });
  #waiting = 0;

  constructor(needs: SamlNeeds) {
    this.#needs = needs;
  }

  /** The URL at the provider that the browser is sent to. */
  requestUrl(
    provider: IdentityProvider,
    urls: SignOnUrls,
    { requestId, relayState }: { readonly requestId: string; readonly relayState: string },
  ): Promise<string> {
    return this.#queued(() =>
      this.#worker.run('saml', 'requestUrl', partiesOf(provider, urls, requestId), relayState),
    );
  }

  /** Our own description for the provider: entity id, and where responses go. */
  metadata(provider: IdentityProvider, urls: SignOnUrls): Promise<string> {
    const parties = partiesOf(provider, urls, `_${provider.id}`);
    return this.#queued(() => this.#worker.run('saml', 'metadata', parties));
  }

  /** `requestId`: of the request that the browser left with. Throws a SignOnFault. */
  async verify(
    provider: IdentityProvider,
    urls: SignOnUrls,
    { text, requestId }: { readonly text: SamlText; readonly requestId: string },
  ): Promise<Verified> {
    if (text.destination !== urls.acs)
      throw refused('the response is refused: it is for another destination');
    const parties = partiesOf(provider, urls, requestId);
    const verified = await this.#queued(() => this.#worker.run('saml', 'verify', parties, text.xml));
    if ('refused' in verified) throw refused(`the response is refused: ${verified.refused}`);
    const nowMs = this.#needs.clock.now();
    const expected = { issuer: connectionOf(provider).entityId, recipient: urls.acs, requestId, nowMs };
    const { id, subject, claims, expiresMs } = checkAssertion(verified.assertion, expected);
    const claim = { id: createHash('sha256').update(`saml ${provider.id} ${id}`).digest(), usesMax: 1 };
    const keptMs = Math.min(expiresMs, nowMs + dayMs) + clockSkewSeconds * secondMs;
    if (!(await this.#needs.usage.claim([claim], keptMs, nowMs)))
      throw refused('the assertion is refused: it was used before');
    return { subject, claims };
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  async #queued<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= waitingMax)
      throw new SignOnFault('too-many', `${waitingMax} sign-ins by SAML are being verified`);
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
    }
  }
}

function partiesOf(provider: IdentityProvider, urls: SignOnUrls, requestId: string): SamlParties {
  const { entryPoint, certificates } = connectionOf(provider);
  return { entryPoint, certificates, entityId: urls.metadata, acs: urls.acs, requestId };
}

function connectionOf({ connection }: IdentityProvider): SamlConnection {
  if (connection.kind !== 'saml')
    throw new SignOnFault('no-such-provider', 'the provider is not of this kind');
  return connection;
}

function refused(why: string): SignOnFault {
  return new SignOnFault('not-verified', why);
}
