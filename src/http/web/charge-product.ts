/** Charges a request to a product of the account: for operations that must judge their parameters first, so that a mistake costs nothing. */
import type { ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { authorize } from '../../product/account/authorize.ts';
import { chargeUsage, productCharge } from '../../product/account/product-limits.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import type { WebCaller } from './web-operation.ts';

export interface ChargeProductNeeds {
  readonly usage: Pick<UsageStore, 'charge' | 'noteUse'>;
  readonly settings: Pick<Settings, 'limits'>;
}

export async function chargeProduct(
  caller: WebCaller,
  product: ProductId,
  { usage, settings }: ChargeProductNeeds,
  nowMs: number,
): Promise<void> {
  const grant = authorize(caller, { product, permission: 'read' }, nowMs);
  await chargeUsage(usage, productCharge(caller.account, grant, settings), product, nowMs);
  const { account, user } = caller;
  usage.noteUse({ accountId: account.id, username: user.username, item: product }, nowMs);
}
