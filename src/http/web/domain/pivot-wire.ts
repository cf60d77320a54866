/** The values that a domain shares with others, and who else has them. */
import { type Static, Type } from 'typebox';

/** POST /ui/api/pivots */
export const PivotRequest = Type.Object({ domain: Type.String({ minLength: 1, maxLength: 2000 }) });

export const Pivots = Type.Object({
  domain: Type.String(),
  punycode: Type.String(),
  as_of: Type.String({ description: 'when it was counted; an answer is kept for a minute' }),
  threshold: Type.Integer({ description: 'of guided pivots, from the settings of the person' }),
  known: Type.Boolean({ description: 'false: there is no record' }),
  more: Type.Boolean({ description: 'the record has more values than were counted' }),
  pivots: Type.Array(
    Type.Object({
      attribute: Type.String({ description: 'such as ip.address' }),
      value: Type.String(),
      domains: Type.Integer({ description: 'with the value, this one included' }),
      average_risk: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
      guided: Type.Boolean(),
      first_names: Type.Array(Type.String(), { description: 'up to five other domains, riskiest first' }),
    }),
    { description: 'guided ones first, by average risk; then by number of domains' },
  ),
});
export type Pivots = Static<typeof Pivots>;
