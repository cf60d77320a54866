/** The limits engine as products use it: one draw for each counted request, counted for the account as a whole. */
import type { Account, ProductGrant } from '../../model/account.ts';
import { Problem } from '../../model/problem.ts';
import { countableLimits, limitsOf, type ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings.ts';
import type { Draw, UsageStore } from '../../store/usage-store.ts';

export function usageOwner(account: Account): string {
  return `account:${account.id}`;
}

/** What one counted request of a product draws: every limit of the grant, and a mark in the account's usage. */
export function productDraw(account: Account, grant: ProductGrant, settings: Pick<Settings, 'limits'>): Draw {
  const owner = usageOwner(account);
  const subject = `${owner}/${grant.product}`;
  const limits = countableLimits(limitsOf(grant, settings)).map((limit) => ({ ...limit, subject }));
  return { limits, tally: { owner, item: grant.product } };
}

/** Counts the request, or throws the Problem `limit-exceeded` and counts nothing. */
export async function take(
  usage: Pick<UsageStore, 'draw'>,
  draw: Draw,
  product: ProductId,
  nowMs: number,
): Promise<void> {
  const outcome = await usage.draw(draw, nowMs);
  if (outcome.granted) return;
  const { size, name: window } = outcome.refusedBy;
  const retry =
    outcome.retryAfterMs === undefined
      ? {}
      : { retryAfterSeconds: Math.max(1, Math.ceil(outcome.retryAfterMs / 1000)) };
  throw new Problem(
    'limit-exceeded',
    `The limit of ${product} is reached: ${size} ${window === 'absolute' ? 'in all' : `per ${window}`}.`,
    {
      limit: { product, size, window, ...retry },
    },
  );
}
