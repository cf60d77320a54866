/** Numbers about the lists of Triage: counts, facets, and when a person last read them. */
import { type Static, Type } from 'typebox';
import { type FacetAttribute, facetAttributes } from '../../../model/triage/triage-facets.ts';
import { filterMembers, List } from './filter-wire.ts';

const listCounts = {
  new: Type.Integer(),
  changed: Type.Integer(),
  watched: Type.Integer(),
  ignored: Type.Integer(),
  blocked: Type.Integer(),
};

export const Counts = Type.Object({
  lists: Type.Object(listCounts),
  monitors: Type.Array(
    Type.Object({
      id: Type.String(),
      term: Type.String(),
      state: Type.Unsafe<'active' | 'inactive'>({ type: 'string', enum: ['active', 'inactive'] }),
      ...listCounts,
      days: Type.Array(Type.Integer(), { description: 'discovered in the last 30 days, UTC, today last' }),
    }),
  ),
  new_since_looked: Type.Integer(),
});
export type Counts = Static<typeof Counts>;

export const FacetQuery = Type.Object({
  ...filterMembers,
  by: Type.Unsafe<FacetAttribute>({ type: 'string', enum: [...facetAttributes] }),
});

export const Facets = Type.Object({
  values: Type.Array(
    Type.Object({
      value: Type.String(),
      label: Type.Optional(Type.String()),
      domains: Type.Integer(),
      average_risk: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    }),
  ),
  more: Type.Boolean({ description: 'there are more values, or more domains than were counted' }),
});
export type Facets = Static<typeof Facets>;

export const LookedRequest = Type.Object({
  list: List,
  monitor: Type.Optional(Type.String({ maxLength: 40 })),
  at: Type.String({ maxLength: 40, description: 'ISO 8601 with Z' }),
});
