/**
 * What a request must show before its body is read: the name of this server, no foreign origin, a key in a header, and a place within the
 * limit of LIM-22. A key in the query would end up in logs of proxies, so there is none.
 */
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../model/account/account.ts';
import { bucket } from '../../model/account/limit.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { type AuthenticateNeeds, authenticate } from '../../product/account/authenticate.ts';
import { authorize } from '../../product/account/authorize.ts';
import { chargeUsage } from '../../product/account/product-limits.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import { hostFault } from '../web/request-checks.ts';

export interface AdmitNeeds extends AuthenticateNeeds {
  readonly usage: AuthenticateNeeds['usage'] & Pick<UsageStore, 'charge' | 'noteUse'>;
  readonly settings: AuthenticateNeeds['settings'] & Pick<Settings, 'http' | 'limits'>;
  /** Scheme, host and port under which clients reach the server. */
  readonly ownUrl: () => string;
}

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

export function originCheck({ settings, ownUrl }: Pick<AdmitNeeds, 'settings' | 'ownUrl'>) {
  const findHostFault = hostFault(settings);
  return (request: FastifyRequest): Problem | undefined => {
    const { origin } = request.headers;
    const isOwn = origin === undefined || origin === ownUrl() || loopback.test(origin);
    return (
      findHostFault(request) ??
      (isOwn
        ? undefined
        : new Problem('address-not-allowed', 'Requests of pages of other sites are refused.'))
    );
  };
}

/** Throws what the client is answered. */
export async function admitRequest(request: FastifyRequest, needs: AdmitNeeds): Promise<Caller> {
  const { caller } = await authenticate(credentialsOf(request), request, needs);
  request.username = caller.user.username;
  const nowMs = needs.clock.now();
  const { product } = authorize(caller, { product: 'any', permission: 'read' }, nowMs);
  const { burstRequests, requestsPerSecond } = needs.settings.limits.assistant;
  const subject = `user:${caller.user.id}/assistant`;
  const limit = { ...bucket(burstRequests, requestsPerSecond), subject, counted: 'the assistant tools' };
  try {
    await chargeUsage(needs.usage, { limits: [limit] }, product, nowMs);
  } catch (error) {
    const { account, user } = caller;
    const use = { accountId: account.id, username: user.username, item: 'refused' };
    needs.usage.noteUse({ ...use, key: { userId: user.id, client: request } }, nowMs);
    throw error;
  }
  return caller;
}

/** `X-Api-Key`, or `Authorization: Bearer` for clients that cannot send other headers. */
function credentialsOf({ headers }: FastifyRequest) {
  const key = headers['x-api-key'];
  if (key !== undefined && key !== '') return { headerKey: String(key) };
  const [, bearer] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return bearer === undefined ? {} : { headerKey: bearer };
}
