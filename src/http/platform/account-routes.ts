/** The account endpoint: summary, provisioned products, live usage. It is free and never throttled. */
import { type Static, Type } from 'typebox';
import { type AccountSummary, type SummaryNeeds, summarize } from '../../product/account/summary.ts';
import type { Offer } from './offer.ts';

const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const AccountAnswer = Type.Object({
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

export function accountRoutes(offer: Offer, needs: SummaryNeeds): void {
  offer('getAccountInfo', {
    parameters: Type.Object({}),
    answer: AccountAnswer,
    draw: 'free',
    run: async ({ caller }) => wireForm(await summarize(caller, needs)),
  });
}

/** The same summary gives the same object, which is then written out only once. */
const wireForms = new WeakMap<AccountSummary, Static<typeof AccountAnswer>>();

function wireForm(summary: AccountSummary): Static<typeof AccountAnswer> {
  const known = wireForms.get(summary);
  if (known) return known;
  const made = onWire(summary);
  wireForms.set(summary, made);
  return made;
}

/** Numbers travel as strings, and all seven members of a product are always there: clients read them unasked. */
function onWire(summary: AccountSummary): Static<typeof AccountAnswer> {
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
