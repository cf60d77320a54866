/** What the account uses, against its limits and over the last days. */
import { Type } from 'typebox';
import { projectedFromDays } from '../../../model/account/usage-projection.ts';
import {
  type LimitState,
  type ProductUse,
  reportUsage,
  type UsageReport,
  type UsageReportNeeds,
} from '../../../product/account/usage-report.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type LimitOnWire, UsageAnswer } from './usage-wire.ts';

const daysMax = 30;

export function usageOperation(needs: UsageReportNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/usage',
    access: 'read',
    summary: 'Limits of each product, what is used of them, and the requests of the last days',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: daysMax })) }),
    answer: UsageAnswer,
    handle: async ({ caller, query: { days = daysMax } }) => onWire(await reportUsage(caller, days, needs)),
  });
}

function onWire({ days, products, others, users, pdns }: UsageReport): UsageAnswer {
  const series = (of: UsageReport['users']) => of.map((one) => ({ name: one.name, days: [...one.days] }));
  return {
    days: days.map((ms) => new Date(ms).toISOString().slice(0, 10)),
    products: products.map(productOnWire),
    others: series(others),
    users: series(users),
    passive_dns: pdns.map(({ username, limit, expiresMs }) => ({
      username,
      limit: limit ? limitOnWire(limit) : null,
      expires: timeOrNull(expiresMs),
    })),
    projected_from_days: projectedFromDays,
  };
}

function productOnWire(use: ProductUse): UsageAnswer['products'][number] {
  const { product, limits, tally, days, projection, expirationDate = null } = use;
  return {
    product,
    limits: limits.map(limitOnWire),
    today: tally.today,
    month: tally.month,
    days: [...days],
    projection: projection
      ? {
          month: projection.month,
          per_day: projection.perDay,
          reached: timeOrNull(projection.reachedMs),
        }
      : null,
    expiration_date: expirationDate,
  };
}

function limitOnWire({ window, size, used, resetsMs }: LimitState): LimitOnWire {
  return { window, size, used, resets: timeOrNull(resetsMs) };
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
