/** The pictures of a domain. */
import { type Static, Type } from 'typebox';
import { Picture } from '../detect/domain-wire.ts';
import { NullableText } from '../wire-values.ts';

const Capture = Type.Object({
  id: Type.String(),
  at: Type.String(),
  last_seen: Type.String(),
  last_attempt: Type.String(),
  ip: NullableText,
  url: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  hash: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null until it is computed' }),
  path: Type.String(),
  relationship: Type.Integer({ minimum: 1, maximum: 5 }),
  text: Type.String({ description: 'the relationship in words' }),
});

/** GET /ui/api/domains/:name/pictures */
export const DomainPictures = Type.Object({
  domain: Type.String(),
  punycode: Type.String(),
  picture: Picture,
  captures: Type.Array(Capture, { description: 'newest first' }),
  more: Type.Boolean(),
  alike: Type.Array(
    Type.Object({
      domain: Type.String(),
      punycode: Type.String(),
      at: Type.String(),
      path: Type.String(),
      hash: Type.String(),
      distance: Type.Integer({ description: 'bits of 64 that differ' }),
    }),
    { description: 'other domains whose newest picture resembles the newest of this one, most alike first' },
  ),
});
export type DomainPictures = Static<typeof DomainPictures>;
