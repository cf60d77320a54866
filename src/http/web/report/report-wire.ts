/** The report of a period on the wire. */
import { type Static, Type } from 'typebox';
import { Picture } from '../detect/domain-wire.ts';
import { NullableText } from '../wire-values.ts';

const Value = Type.Object({ value: Type.String(), domains: Type.Integer() });
const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

export const ReportQuery = Type.Object({
  monitor: Type.Optional(Type.String()),
  from: Type.Optional(
    Type.String({ description: 'A day (UTC) as 2026-10-01; by default 30 days before `to`.' }),
  ),
  to: Type.Optional(Type.String({ description: 'The day after the last one; by default tomorrow.' })),
});

export const ReportView = Type.Object({
  from: Type.String(),
  to: Type.String(),
  made_at: Type.String(),
  monitor: NullableText,
  found: Type.Integer(),
  decided: Type.Integer(),
  blocked: Type.Integer(),
  open: Type.Integer(),
  median_hours_to_decision: NullableNumber,
  median_hours_to_block: NullableNumber,
  days: Type.Array(
    Type.Object({
      at: Type.String(),
      found: Type.Integer(),
      decided: Type.Integer(),
      blocked: Type.Integer(),
    }),
  ),
  classes: Type.Array(Type.Object({ class: Type.String(), domains: Type.Integer() })),
  tlds: Type.Array(Value),
  registrars: Type.Array(Value),
  countries: Type.Array(Value),
  name_servers: Type.Array(Value),
  networks: Type.Array(Value),
  networks_of: Type.Integer({
    description: 'Of how many domains, those with the highest risk, the networks were counted.',
  }),
  blocked_domains: Type.Array(
    Type.Object({ id: Type.String(), domain: Type.String(), at: Type.String(), picture: Picture }),
  ),
});
export type ReportView = Static<typeof ReportView>;
