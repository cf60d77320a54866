/** What the account has used of its limit of Investigate, for the foot of a page; and whether an export fits into it. */
import type { CountedLimit } from '../../../model/account/limit.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { productCharge } from '../../../product/account/product-limits.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import { chargeProduct } from '../charge-product.ts';
import type { WebCaller } from '../web-operation.ts';
import { searchProduct } from './charged-searches.ts';

export interface LimitNeeds {
  readonly usage: Pick<UsageStore, 'charge' | 'remainingOf' | 'noteUse'>;
  readonly settings: Pick<Settings, 'limits'>;
}

/** Of the limit with the shortest window. */
export async function limitsNow(caller: WebCaller, needs: LimitNeeds, nowMs: number) {
  const [limit] = limitsOfAccount(caller, needs, nowMs);
  if (!limit) return null;
  const [remaining = limit.size] = await needs.usage.remainingOf([limit], nowMs);
  return { used: limit.size - remaining, limit: limit.size, window: limit.name };
}

function limitsOfAccount(
  caller: WebCaller,
  { settings }: LimitNeeds,
  nowMs: number,
): readonly CountedLimit[] {
  const grant = authorize(caller, { product: searchProduct, permission: 'read' }, nowMs);
  return productCharge(caller.account, grant, settings).limits;
}

/** Counts several requests, or none where the limits do not allow all of them. */
export async function chargeRequests(
  caller: WebCaller,
  requests: number,
  needs: LimitNeeds,
  nowMs: number,
): Promise<void> {
  const limits = limitsOfAccount(caller, needs, nowMs);
  const left = await needs.usage.remainingOf(limits, nowMs);
  for (const [index, { size, name }] of limits.entries()) {
    const remaining = left[index] ?? 0;
    // With nothing left, the first charge says when to try again.
    if (remaining === 0 || remaining >= requests) continue;
    const window = name === 'absolute' ? 'in all' : `per ${name}`;
    throw new Problem(
      'limit-exceeded',
      `This counts as ${requests} requests to Investigate, and ${remaining} of ${size} ${window} are left. Narrow the search, or try again later.`,
      { limit: { product: searchProduct, size, window: name } },
    );
  }
  for (let charged = 0; charged < requests; charged += 1)
    await chargeProduct(caller, searchProduct, needs, nowMs);
}
