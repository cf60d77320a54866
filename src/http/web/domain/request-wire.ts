/** What was asked of a domain. */
import { type Static, Type } from 'typebox';
import { NullableText, nullable } from '../wire-values.ts';

/** GET /ui/api/domains/:name/requests */
export const DomainRequests = Type.Object({
  passive_only: Type.Boolean({ description: 'whether nothing is asked of its servers now' }),
  passive_set: nullable<{ by: string; at: string }>('who of this account has set the domain passive'),
  requests: Type.Array(
    Type.Object({
      at: Type.String(),
      collector: Type.String(),
      protocol: Type.String(),
      host: Type.String(),
      address: NullableText,
      port: Type.Integer(),
      source: NullableText,
      outcome: Type.String(),
    }),
    { description: 'newest first' },
  ),
});
export type DomainRequests = Static<typeof DomainRequests>;

/** PUT /ui/api/domains/:name/passive */
export const PassiveBody = Type.Object({ passive_only: Type.Boolean() });
