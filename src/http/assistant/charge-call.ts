/** What a call of a tool counts against: the limits of its product, but not those that are meant for programs that poll. */
import type { Permission } from '../../model/account/permission.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { authorize } from '../../product/account/authorize.ts';
import { chargeUsage, productCharge } from '../../product/account/product-limits.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import { generalCharge, previewCharge } from '../platform/detect/charges.ts';
import type { ToolContext } from './tool.ts';

export interface ChargeCallNeeds {
  readonly usage: Pick<UsageStore, 'charge' | 'noteUse'>;
  readonly settings: Pick<Settings, 'limits'>;
}

/** One request an hour is right for a program that polls; a person who asks an assistant reads three pages in a minute. */
const polled: readonly ProductId[] = [
  'intel-detect-monitors',
  'intel-detect-new-domains',
  'intel-detect-watched-domains',
];

interface CallCharge {
  readonly product: ProductId;
  /** `read` by default. */
  readonly permission?: Permission;
  readonly isPreview?: boolean;
}

/** Throws what `authorize` throws, or `limit-exceeded`. */
export async function chargeCall(
  { caller, nowMs, client }: ToolContext,
  { product, permission = 'read', isPreview = false }: CallCharge,
  { usage, settings }: ChargeCallNeeds,
): Promise<void> {
  const grant = authorize(caller, { product, permission }, nowMs);
  const context = { caller, grant };
  const charge = isPreview
    ? previewCharge(context, settings)
    : polled.includes(product)
      ? generalCharge(context, settings)
      : productCharge(caller.account, grant, settings);
  await chargeUsage(usage, charge, product, nowMs);
  const { account, user } = caller;
  const key = { userId: user.id, client };
  usage.noteUse({ accountId: account.id, username: user.username, item: product, key }, nowMs);
}
