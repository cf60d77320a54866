/** Tags of an account as a person sees them, and the tags of domains. */
import { type Static, Type } from 'typebox';
import { tagColours } from '../../../store/domain/tag-store.ts';
import { NullableText, oneOf } from '../wire-values.ts';

export const TagScope = oneOf(['own', 'team'], 'own: for the person alone; team: for the whole account');
export const TagColour = oneOf(tagColours);

export const TagView = Type.Object({
  id: Type.String(),
  label: Type.String(),
  scope: TagScope,
  colour: TagColour,
  domains: Type.Integer(),
  average_risk: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'null: no domain has a score, or the tags have too many domains to average them',
  }),
  expires_at: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null: it stays' }),
  by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'who made it; null if an earlier version did not record that',
  }),
  created_at: Type.String(),
  used_at: Type.String({ description: 'when a domain last received it' }),
});
export type TagView = Static<typeof TagView>;

/** GET /ui/api/tags */
export const TagList = Type.Object({
  tags: Type.Array(TagView, { description: 'by label' }),
  more: Type.Boolean({ description: 'the account has more tags than are listed' }),
});
export type TagList = Static<typeof TagList>;

/** PATCH /ui/api/tags/:id */
export const TagChangeBody = Type.Object({
  label: Type.Optional(Type.String({ maxLength: 200 })),
  scope: Type.Optional(TagScope),
  colour: Type.Optional(TagColour),
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'RFC 3339, in the future; null: it stays',
    }),
  ),
  merge: Type.Optional(
    Type.Boolean({
      description: 'whether it may become part of a tag that has this label and scope already',
    }),
  ),
});
export type TagChangeBody = Static<typeof TagChangeBody>;

export const ChangedTag = Type.Object({
  tag: TagView,
  merged: Type.Unsafe<{ moved: number; domains: number } | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'how many domains came to the tag that was there, and how many it has now',
  }),
});
export type ChangedTag = Static<typeof ChangedTag>;

/** DELETE /ui/api/tags/:id */
export const DeletedTag = Type.Object({ domains: Type.Integer({ description: 'that had it' }) });
export type DeletedTag = Static<typeof DeletedTag>;

/** GET /ui/api/tags/overlap?label= */
export const TagOverlap = Type.Object({
  label: Type.String(),
  domains: Type.Integer({ description: 'with a tag of this label' }),
  complete: Type.Boolean({ description: 'false: only the first 100,000 domains were compared' }),
  others: Type.Array(
    Type.Object({ label: Type.String(), scope: TagScope, colour: TagColour, domains: Type.Integer() }),
    { description: 'other tags of these domains, the most frequent first, up to 100' },
  ),
});
export type TagOverlap = Static<typeof TagOverlap>;

/** In one request. */
export const taggedDomainsMax = 500;
const tagsMax = 100;

const DomainNames = Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
  minItems: 1,
  maxItems: taggedDomainsMax,
});

const GivenTag = Type.Object({ label: Type.String({ maxLength: 200 }), scope: TagScope });

export const TagOfDomain = Type.Object({
  label: Type.String(),
  scope: TagScope,
  colour: TagColour,
  tagged_at: Type.String(),
  expires_at: NullableText,
});
export type TagOfDomain = Static<typeof TagOfDomain>;

/** POST /ui/api/domain-tags/read */
export const DomainTagsQuery = Type.Object({ domains: DomainNames });
export type DomainTagsQuery = Static<typeof DomainTagsQuery>;

/** POST /ui/api/domain-tags */
export const DomainTagsBody = Type.Object({
  domains: DomainNames,
  add: Type.Optional(Type.Array(GivenTag, { maxItems: tagsMax })),
  remove: Type.Optional(Type.Array(GivenTag, { maxItems: tagsMax })),
});
export type DomainTagsBody = Static<typeof DomainTagsBody>;

export const DomainTags = Type.Object({
  domains: Type.Array(
    Type.Object({
      domain: Type.String(),
      punycode: Type.String(),
      tags: Type.Array(TagOfDomain),
    }),
  ),
  missing: Type.Array(Type.String({ description: 'domains without a record: they cannot have tags' })),
});
export type DomainTags = Static<typeof DomainTags>;
