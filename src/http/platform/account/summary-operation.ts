/** The account endpoint: summary, provisioned products, current usage. It is free and never rate-limited. */
import { type Static, Type } from 'typebox';
import {
  type AccountSummary,
  type SummaryNeeds,
  summarize,
  summarizeSync,
} from '../../../product/account/summary.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const SummaryResponse = Type.Object({
  response: Type.Object({
    account: Type.Object({ api_username: Type.String(), active: Type.Boolean() }),
    products: Type.Array(
      Type.Object({
        id: Type.String(),
        per_month_limit: TextOrNull,
        per_hour_limit: TextOrNull,
        per_minute_limit: TextOrNull,
        absolute_limit: TextOrNull,
        usage: Type.Object({ today: Type.String(), month: Type.String() }),
        expiration_date: TextOrNull,
      }),
    ),
  }),
});

export function summaryOperation(needs: SummaryNeeds): Operation {
  return defineOperation({
    id: 'getAccountInfo',
    family: families.account,
    route: 'GET /account/',
    product: 'any',
    permission: 'read',
    summary: 'Account summary and provisioned products',
    parameters: Type.Object({}),
    response: SummaryResponse,
    unauthorizedStatus: 403,
    charge: 'free',
    handle: async ({ caller }) => cachedOnWire(await summarize(caller, needs)),
    handleSync: (caller) => {
      const summary = summarizeSync(caller, needs);
      return summary && cachedOnWire(summary);
    },
  });
}

/** An unchanged summary yields the same object, which is then serialized only once. */
const wireForms = new WeakMap<AccountSummary, Static<typeof SummaryResponse>>();

function cachedOnWire(summary: AccountSummary): Static<typeof SummaryResponse> {
  const known = wireForms.get(summary);
  if (known) return known;
  const made = onWire(summary);
  wireForms.set(summary, made);
  return made;
}

/** Numbers are sent as strings, and every product has all seven members: clients read them unconditionally. */
function onWire(summary: AccountSummary): Static<typeof SummaryResponse> {
  const products = summary.products.map(({ product, limits, usage, expirationDate }) => ({
    id: product,
    per_month_limit: text(limits.perMonth),
    per_hour_limit: text(limits.perHour),
    per_minute_limit: text(limits.perMinute),
    absolute_limit: text(limits.absolute),
    usage: { today: String(usage.today), month: String(usage.month) },
    expiration_date: expirationDate ?? null,
  }));
  return { response: { account: { api_username: summary.username, active: summary.active }, products } };
}

function text(limit: number | undefined): string | null {
  return limit === undefined ? null : String(limit);
}
