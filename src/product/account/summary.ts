/** The account summary: provisioned products, their limits and their usage. */
import type { Caller } from '../../model/account/account.ts';
import type { Clock } from '../../model/clock.ts';
import { limitsOf, type ProductId, type ProductLimits } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Tally, UsageStore } from '../../store/usage-store.ts';
import { usageOwner } from './product-limits.ts';

export interface AccountSummary {
  readonly username: string;
  readonly active: boolean;
  readonly products: readonly ProductSummary[];
}

export interface ProductSummary {
  readonly product: ProductId;
  readonly limits: ProductLimits;
  readonly usage: Tally;
  readonly expirationDate?: string | undefined;
}

const unused: Tally = { today: 0, month: 0 };

export interface SummaryNeeds {
  readonly usage: Pick<UsageStore, 'talliesOf' | 'talliesOfSync'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'limits'>;
}

/** The last summary of each caller and its inputs: some clients request it before every call, and it rarely changes. */
const latest = new WeakMap<
  Caller,
  { tallies: ReadonlyMap<string, Tally>; settings: object; summary: AccountSummary }
>();

export async function summarize(caller: Caller, needs: SummaryNeeds): Promise<AccountSummary> {
  const tallies = await needs.usage.talliesOf(usageOwner(caller.account), needs.clock.now());
  return summaryOf(caller, tallies, needs);
}

/** The same without waiting, where the store of usage can. */
export function summarizeSync(caller: Caller, needs: SummaryNeeds): AccountSummary | undefined {
  const tallies = needs.usage.talliesOfSync?.(usageOwner(caller.account), needs.clock.now());
  return tallies && summaryOf(caller, tallies, needs);
}

function summaryOf(caller: Caller, tallies: ReadonlyMap<string, Tally>, needs: SummaryNeeds): AccountSummary {
  const { account, user } = caller;
  const last = latest.get(caller);
  if (last?.tallies === tallies && last.settings === needs.settings) return last.summary;
  const products = account.products.map((grant) => ({
    product: grant.product,
    limits: limitsOf(grant, needs.settings),
    usage: tallies.get(grant.product) ?? unused,
    expirationDate: grant.expirationDate,
  }));
  const summary = { username: user.username, active: account.active, products };
  latest.set(caller, { tallies, settings: needs.settings, summary });
  return summary;
}
