/** What Detect requests are charged to, where it is not every limit of their product. */
import type { Caller, ProductGrant } from '../../../model/account/account.ts';
import { perMinute } from '../../../model/account/limit.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { productCharge, usageOwner } from '../../../product/account/product-limits.ts';
import type { Charge } from '../../../store/usage-store.ts';

export interface ChargeContext {
  readonly caller: Caller;
  readonly grant: ProductGrant;
}

type LimitSettings = Pick<Settings, 'limits'>;

/** Previews have a limit per minute of their own, shared by all lists, and do not count against the hourly limit. */
export function previewCharge(context: ChargeContext, settings: LimitSettings): Charge {
  const subject = `${usageOwner(context.caller.account)}/detect-preview`;
  return separateCharge(context, settings, {
    ...perMinute(settings.limits.detect.previewRequestsPerMinute),
    subject,
    counted: 'Detect previews',
  });
}

/**
 * For operations of a product whose own limits are meant for another operation, such as one list query per hour: the
 * general limit per minute, counted separately.
 */
export function generalCharge(context: ChargeContext, settings: LimitSettings): Charge {
  const { caller, grant } = context;
  const subject = `${usageOwner(caller.account)}/${grant.product}/other`;
  const perMinuteMax = grant.perMinute ?? settings.limits.productRequestsPerMinute;
  return separateCharge(context, settings, { ...perMinute(perMinuteMax), subject });
}

/** The charge of a list whose hourly limit can be avoided, as the advice says. */
export function listCharge(
  { caller, grant }: ChargeContext,
  settings: LimitSettings,
  advice: string,
): Charge {
  const { limits, ...charge } = productCharge(caller.account, grant, settings);
  return { ...charge, limits: limits.map((limit) => (limit.name === 'hour' ? { ...limit, advice } : limit)) };
}

/** Replaces the limits per minute and hour; quotas per month or in total are shared with the product's other operations. */
function separateCharge(
  { caller, grant }: ChargeContext,
  settings: LimitSettings,
  limit: Charge['limits'][number],
): Charge {
  const { limits, ...charge } = productCharge(caller.account, grant, settings);
  const quotas = limits.filter(({ name }) => name !== 'minute' && name !== 'hour');
  return { ...charge, limits: [limit, ...quotas] };
}
