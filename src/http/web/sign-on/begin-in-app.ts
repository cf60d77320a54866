/** Begins a sign-in at a provider from within the app: it gets the address by an answer, not by a redirect, and leaves by itself. */
import type { FastifyReply } from 'fastify';
import type { IdentityProvider } from '../../../model/person/identity-provider.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import {
  type BeginNeeds,
  type BeginRequest,
  beginSignOn,
} from '../../../product/people/sign-on/begin-sign-on.ts';
import { SignOnFault } from '../../../product/people/sign-on/sign-on-fault.ts';
import { signOnCookie } from './sign-on-cookie.ts';

export type BeginInAppNeeds = BeginNeeds & { readonly settings: Pick<Settings, 'http'> };

export type BeginInApp = (
  request: Omit<BeginRequest, 'providerId' | 'kind'>,
  provider: IdentityProvider,
  reply: FastifyReply,
) => Promise<{ url: string }>;

export function beginInApp(needs: BeginInAppNeeds): BeginInApp {
  const cookie = signOnCookie(needs.settings);
  return async (request, { id: providerId, connection: { kind } }, reply) => {
    const begun = await beginSignOn({ ...request, providerId, kind }, needs).catch((error: unknown) => {
      throw error instanceof SignOnFault
        ? new Problem('unavailable', `The provider cannot be used: ${error.message}.`)
        : error;
    });
    cookie.set(reply, begun);
    return { url: begun.url };
  };
}
