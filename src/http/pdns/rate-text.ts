/** The state of a quota on the wire: as the object `rate`, and as headers of a data response. */
import { Type } from 'typebox';
import type { QuotaState, Rate } from '../../product/pdns/quota.ts';

const IntegerOr = (word: string) => Type.Union([Type.Integer(), Type.Literal(word)]);

export const RateAnswer = Type.Object({
  rate: Type.Object({
    reset: IntegerOr('n/a'),
    expires: Type.Optional(Type.Integer()),
    limit: IntegerOr('unlimited'),
    remaining: IntegerOr('n/a'),
    results_max: Type.Integer(),
    offset_max: IntegerOr('n/a'),
    burst_size: Type.Optional(Type.Integer()),
    burst_window: Type.Optional(Type.Integer()),
  }),
});

export function rateOnWire(rate: Rate) {
  return {
    reset: rate.resetSeconds,
    ...(rate.expiresSeconds === undefined ? {} : { expires: rate.expiresSeconds }),
    limit: rate.limit,
    remaining: rate.remaining,
    results_max: rate.resultsMax,
    offset_max: rate.offsetMax,
    ...(rate.burst ? { burst_size: rate.burst.size, burst_window: rate.burst.windowSeconds } : {}),
  };
}

export function rateHeaders({
  limit,
  remaining,
  resetSeconds,
  expiresSeconds,
}: QuotaState): Record<string, string> {
  const headers: Record<string, string> = {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetSeconds),
  };
  if (expiresSeconds !== undefined) headers['x-ratelimit-expires'] = String(expiresSeconds);
  return headers;
}
