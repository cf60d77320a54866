/** What Detect requests draw on, where that is not simply every limit of their product. */
import type { Caller, ProductGrant } from '../../model/account.ts';
import { perMinute } from '../../model/limit.ts';
import type { Settings } from '../../model/settings.ts';
import { productDraw, usageOwner } from '../../product/account/product-limits.ts';
import type { Draw } from '../../store/usage-store.ts';

export interface Drawing {
  readonly caller: Caller;
  readonly grant: ProductGrant;
}

type LimitSettings = Pick<Settings, 'limits'>;

/** A preview is counted apart, for all lists together, and takes nothing from the hour. */
export function previewDraw({ caller, grant }: Drawing, settings: LimitSettings): Draw {
  const perMinuteMax = settings.limits.detect.previewRequestsPerMinute;
  return besides(caller, grant, settings, `${usageOwner(caller.account)}/detect-preview`, perMinuteMax);
}

/**
 * Operations of a product whose own limits are meant for another one, such as the list once an hour: these have the general
 * limit a minute, counted apart.
 */
export function generalDraw({ caller, grant }: Drawing, settings: LimitSettings): Draw {
  const subject = `${usageOwner(caller.account)}/${grant.product}/other`;
  const perMinuteMax = grant.perMinute ?? settings.limits.productRequestsPerMinute;
  return besides(caller, grant, settings, subject, perMinuteMax);
}

/** A quota of the month, or one for all time, is the same for all. */
function besides(
  { account }: Caller,
  grant: ProductGrant,
  settings: LimitSettings,
  subject: string,
  perMinuteMax: number,
): Draw {
  const { limits, ...draw } = productDraw(account, grant, settings);
  const quotas = limits.filter(({ name }) => name !== 'minute' && name !== 'hour');
  return { ...draw, limits: [{ ...perMinute(perMinuteMax), subject }, ...quotas] };
}
