/** The cookie that binds a sign-in at an identity provider to the browser that began it: one for each, so that tabs do not disturb each other. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Begun } from '../../../product/people/sign-on/begin-sign-on.ts';
import type { FindBinding } from '../../../product/people/sign-on/finish-sign-on.ts';
import { browserCookie } from '../session-cookie.ts';

const maxAgeSeconds = 900;
const nameDigits = 16;

export interface SignOnCookie {
  set(reply: FastifyReply, begun: Begun): void;
  /** Reads the cookie of a sign-in and has the browser delete it: it is needed once. */
  finder(request: FastifyRequest, reply: FastifyReply): FindBinding;
}

export function signOnCookie(settings: Pick<Settings, 'http'>): SignOnCookie {
  const named = (stateDigest: string) =>
    browserCookie(settings, `ng-on-${stateDigest.slice(0, nameDigits)}`, maxAgeSeconds);
  return {
    set: (reply, { stateDigest, binding }) => named(stateDigest).set(reply, binding.token),
    finder: (request, reply) => (stateDigest) => {
      const cookie = named(stateDigest);
      cookie.clear(reply);
      return cookie.find(request);
    },
  };
}
