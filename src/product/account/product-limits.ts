/** Rate limits and quotas of products: one charge per counted request, shared by all users of the account. */
import type { Account, ProductGrant } from '../../model/account/account.ts';
import { hourSeconds, minuteSeconds } from '../../model/durations.ts';
import { Problem } from '../../model/problem.ts';
import { countableLimits, limitsOf, type ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Charge, UsageStore } from '../../store/usage-store.ts';

export function usageOwner(account: Account): string {
  return `account:${account.id}`;
}

/** The charge of one request: every limit of the grant, and one more in the account's usage. */
export function productCharge(
  account: Account,
  grant: ProductGrant,
  settings: Pick<Settings, 'limits'>,
): Charge {
  const owner = usageOwner(account);
  const subject = `${owner}/${grant.product}`;
  const limits = countableLimits(limitsOf(grant, settings)).map((limit) => ({ ...limit, subject }));
  return { limits, tally: { owner, item: grant.product } };
}

/** Counts the request, or throws `limit-exceeded` and counts nothing. */
export async function chargeUsage(
  usage: Pick<UsageStore, 'charge'>,
  charge: Charge,
  product: ProductId,
  nowMs: number,
): Promise<void> {
  const outcome = await usage.charge(charge, nowMs);
  if (outcome.granted) return;
  const { size, name: window, counted = product, advice } = outcome.refusedBy;
  const retryAfterSeconds =
    outcome.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(outcome.retryAfterMs / 1000));
  const sentences = [
    `The limit of ${counted} is reached: ${size} ${window === 'absolute' ? 'in all' : `per ${window}`}.`,
    retryAfterSeconds === undefined ? '' : `Try again in ${durationText(retryAfterSeconds)}.`,
    advice ?? '',
  ];
  throw new Problem('limit-exceeded', sentences.filter((sentence) => sentence !== '').join(' '), {
    limit: { product, size, window, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  });
}

/** In the largest unit that says it nearly exactly, rounded up. */
function durationText(seconds: number): string {
  const [unit, unitSeconds] =
    seconds < minuteSeconds
      ? (['second', 1] as const)
      : seconds < 2 * hourSeconds
        ? (['minute', minuteSeconds] as const)
        : (['hour', hourSeconds] as const);
  const count = Math.ceil(seconds / unitSeconds);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
