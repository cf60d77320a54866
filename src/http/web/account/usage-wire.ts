/** Quota and usage on the wire. Days are UTC days, the newest last. */
import { type Static, Type } from 'typebox';
import { NullableText, nullable } from '../wire-values.ts';

const LimitOnWire = Type.Object({
  window: Type.String({ description: 'minute, hour, month, absolute or quota' }),
  size: Type.Integer(),
  used: Type.Integer(),
  resets: { ...NullableText, description: 'null: requests leave the window one after another, or never' },
});
export type LimitOnWire = Static<typeof LimitOnWire>;

const Series = Type.Object({ name: Type.String(), days: Type.Array(Type.Integer()) });

export const UsageAnswer = Type.Object({
  days: Type.Array(Type.String()),
  products: Type.Array(
    Type.Object({
      product: Type.String(),
      limits: Type.Array(LimitOnWire),
      today: Type.Integer(),
      month: Type.Integer(),
      days: Type.Array(Type.Integer()),
      projection: nullable<{
        readonly month: number;
        readonly per_day: number;
        readonly reached: string | null;
      }>('for the end of the month; null: nothing is known of the days before today'),
      expiration_date: NullableText,
    }),
  ),
  others: Type.Array(Series, { description: 'pdns, batch, and what counts against no limit (free)' }),
  users: Type.Array(Series, { description: 'an empty name: by whom was not recorded' }),
  passive_dns: Type.Array(
    Type.Object({
      username: Type.String(),
      limit: Type.Unsafe<LimitOnWire | null>({ type: ['object', 'null'], additionalProperties: true }),
      expires: NullableText,
    }),
  ),
  projected_from_days: Type.Integer(),
});
export type UsageAnswer = Static<typeof UsageAnswer>;
