/** What a TAXII request must show before it is answered: a key, and a media type that we have. */
import type { FastifyRequest } from 'fastify';
import type { Caller, ProductGrant } from '../../model/account/account.ts';
import { perMinute } from '../../model/account/limit.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { type AuthenticateNeeds, authenticate } from '../../product/account/authenticate.ts';
import { authorize } from '../../product/account/authorize.ts';
import { chargeUsage, productCharge, usageOwner } from '../../product/account/product-limits.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import { readKeyHeaders } from '../platform/operation/credentials.ts';

export interface AdmitNeeds extends AuthenticateNeeds {
  readonly usage: AuthenticateNeeds['usage'] & Pick<UsageStore, 'charge' | 'noteUse'>;
  readonly settings: AuthenticateNeeds['settings'] & Pick<Settings, 'limits'>;
}

export async function admitRequest(request: FastifyRequest, needs: AdmitNeeds): Promise<Caller> {
  const { caller } = await authenticate(readKeyHeaders(request), request, needs);
  request.username = caller.user.username;
  return caller;
}

/** What is asked for: a collection, or what leads to it. */
export interface Charged {
  readonly product: ProductId | 'any';
  readonly subject: string;
}

/**
 * A limit per minute for each collection. Those per hour are for programs that read whole lists, which TAXII clients do not; quotas per month or
 * in total are shared with the list itself.
 */
export async function chargeRequest(
  caller: Caller,
  { product, subject }: Charged,
  request: FastifyRequest,
  needs: AdmitNeeds,
): Promise<void> {
  const { usage, settings, clock } = needs;
  const { account, user } = caller;
  const nowMs = clock.now();
  let item = 'refused';
  try {
    const grant = authorize(caller, { product, permission: 'read' }, nowMs);
    await chargeUsage(usage, chargeOf(caller, grant, subject, settings), grant.product, nowMs);
    item = product === 'any' ? 'free' : grant.product;
  } finally {
    const key = { userId: user.id, client: request };
    usage.noteUse({ accountId: account.id, username: user.username, item, key }, nowMs);
  }
}

function chargeOf(
  { account }: Caller,
  grant: ProductGrant,
  subject: string,
  settings: Pick<Settings, 'limits'>,
) {
  const { limits, ...charge } = productCharge(account, grant, settings);
  const quotas = limits.filter(({ name }) => name !== 'minute' && name !== 'hour');
  const limit = {
    ...perMinute(settings.limits.taxii.requestsPerMinute),
    subject: `${usageOwner(account)}/taxii/${subject}`,
    counted: 'TAXII',
  };
  return subject === '' ? { limits: [limit] } : { ...charge, limits: [limit, ...quotas] };
}
