/**
 * Search in the web UI. A search travels as the parameters of Investigate or as a query; in addresses (`/ui/search?…`, GET operations) each
 * parameter is a query parameter, repeated for several values, and a query is `ql`. Times are ISO 8601 in UTC.
 */
import { type Static, Type } from 'typebox';
import { NullableInteger, NullableText, nullable, oneOf } from '../wire-values.ts';

const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** Parameter names of Investigate, each with its values. */
const ParametersQuery = Type.Object(
  {
    parameters: Type.Record(Type.String(), Type.Array(Type.String({ maxLength: 65_536 }), { maxItems: 500 })),
  },
  { additionalProperties: false },
);

const LanguageQuery = Type.Object(
  { ql: Type.String({ minLength: 1, maxLength: 65_536 }) },
  { additionalProperties: false },
);

/** A search as data: on the wire and in investigations. */
export const SearchQuery = Type.Union([ParametersQuery, LanguageQuery]);
export type SearchQuery = Static<typeof SearchQuery>;

/** What the account has used of the narrowest limit of Investigate; null without a limit. */
export const SearchLimits = nullable<{ used: number; limit: number; window: string }>(
  'window: minute, hour, day …',
);

/** Options of GET /ui/api/search, beside the search itself (parameters, `ql` or `search_hash`). */
export const SearchOptions = Type.Object({
  position: Type.Optional(Type.String({ description: 'of the answer before: the next page' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 500 })),
  columns: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 40,
      commas: true,
      description: 'names of columns; those marked as shown where it is absent',
    }),
  ),
  sort_by: Type.Optional(oneOf(['first_seen_since', 'create_date', 'domain', 'risk_score'])),
  sort_direction: Type.Optional(oneOf(['asc', 'dsc'])),
});
export type SearchOptions = Static<typeof SearchOptions>;

export const CellValue = Type.Object({
  value: Type.String(),
  domains: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'all domains that have the value, this one included; null where domains do not share values',
  }),
});
export type CellValue = Static<typeof CellValue>;

export const SearchCell = Type.Object({
  values: Type.Array(CellValue, { description: 'up to 10' }),
  more: Type.Integer({ description: 'further values that are left out' }),
});
export type SearchCell = Static<typeof SearchCell>;

export const SearchRow = Type.Object({
  domain: Type.String({ description: 'in Unicode' }),
  punycode: Type.String(),
  active: Type.Boolean(),
  risk_score: NullableInteger,
  first_seen: NullableText,
  tags: Type.Array(
    Type.Object({ label: Type.String(), scope: oneOf(['own', 'team']), colour: Type.String() }),
  ),
  cells: Type.Record(Type.String(), SearchCell, {
    description: 'by column; a column without values is absent',
  }),
});
export type SearchRow = Static<typeof SearchRow>;

export const FacetValue = Type.Object({
  value: Type.String(),
  domains: Type.Integer({ description: 'of the search' }),
  domains_in_all: Type.Integer({ description: 'all domains that have the value' }),
  average_risk: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'of all domains that have the value',
  }),
  guided: Type.Boolean({
    description: 'other domains have it too, and no more than the threshold of the person',
  }),
});
export type FacetValue = Static<typeof FacetValue>;

export const Facet = Type.Object({
  by: Type.String({ description: 'a column, such as registrar or ip.address' }),
  parameter: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'the search parameter that narrows by a value; null if there is none',
  }),
  values: Type.Array(FacetValue, { description: 'most domains first' }),
});
export type Facet = Static<typeof Facet>;

export const SearchPage = Type.Object({
  too_many: Type.Literal(false),
  domains: Type.Array(SearchRow),
  total: Type.Integer(),
  has_more: Type.Boolean(),
  position: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'of the next page' }),
  missing: Type.Array(Type.String(), { description: 'domains searched for by name that have no record' }),
  ql: Type.String({
    description:
      'the same search in the query language; to add to it: (, a line break, this, a line break, ) AND NOT …',
  }),
  limits: SearchLimits,
});
export type SearchPage = Static<typeof SearchPage>;

/** More domains match than a search returns. */
export const TooMany = Type.Object({
  too_many: Type.Literal(true),
  total: Type.Integer(),
  matches_max: Type.Integer(),
  facets_to_narrow: Type.Array(Facet, {
    description: 'the three that cut best; their numbers are estimates from a sample of the matches',
  }),
  ql: Type.String(),
  limits: SearchLimits,
});
export type TooMany = Static<typeof TooMany>;

/** GET /ui/api/search */
export const SearchAnswer = Type.Union([SearchPage, TooMany]);
export type SearchAnswer = Static<typeof SearchAnswer>;

/** GET /ui/api/search/count: a dry run. Kept for a minute, and counted against the limits once in it. */
export const SearchCount = Type.Object({
  total: Type.Integer(),
  too_many: Type.Boolean({ description: 'a search would not return them' }),
  first_names: Type.Array(Type.String(), { description: 'up to five, riskiest first; none of too many' }),
  average_risk: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'null of too many, and where no domain has a score',
  }),
  ql: Type.String(),
  limits: SearchLimits,
});
export type SearchCount = Static<typeof SearchCount>;

/** Options of GET /ui/api/search/facets. */
export const FacetOptions = Type.Object({
  by: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 12,
    commas: true,
    description: 'columns, such as registrar,ip.address',
  }),
  values: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
});

/** GET /ui/api/search/facets?by= ; `values` are those of the first column, `facets` of each in the order asked for. */
export const SearchFacets = Type.Object({
  too_many: Type.Boolean({ description: 'then values and facets are empty' }),
  total: Type.Integer(),
  threshold: Type.Integer({ description: 'of guided pivots, from the settings of the person' }),
  values: Type.Array(FacetValue),
  facets: Type.Array(Facet),
  limits: SearchLimits,
});
export type SearchFacets = Static<typeof SearchFacets>;

export const CatalogueParameter = Type.Object({
  name: Type.String(),
  kind: oneOf(['base', 'filter', 'both'], 'a search needs at least one that is not a filter'),
  value: oneOf([
    'address',
    'boolean',
    'country',
    'date',
    'domain',
    'email',
    'hash',
    'host',
    'number',
    'tags',
    'text',
    'time',
  ]),
  about: Type.String(),
  examples: Type.Array(Type.String()),
  operators: Type.Array(Type.String(), { description: 'of the query language, such as EQUALS' }),
});
export type CatalogueParameter = Static<typeof CatalogueParameter>;

export const CatalogueColumn = Type.Object({
  name: Type.String({ description: 'such as registrar or ip.address' }),
  parameter: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'the search parameter for a value of the column',
  }),
  value_page: Type.Unsafe<ValueKind | null>({
    type: ['string', 'null'],
    description: 'the kind of page that a value has',
  }),
  facet: Type.Boolean({ description: 'can be the by of facets' }),
  shown: Type.Boolean({ description: 'unless other columns are asked for' }),
});
export type CatalogueColumn = Static<typeof CatalogueColumn>;

/** GET /ui/api/search/parameters. The same for everybody; changes only with the version of the server. */
export const SearchCatalogue = Type.Object({
  parameters: Type.Array(CatalogueParameter),
  columns: Type.Array(CatalogueColumn),
  facets: Type.Array(Type.String(), { description: 'columns that are worth showing as facets, best first' }),
  matches_max: Type.Integer(),
  page_size_max: Type.Integer(),
  domains_max: Type.Integer({ description: 'names in one search by domain' }),
  export_max: Type.Integer({ description: 'domains in one export' }),
});
export type SearchCatalogue = Static<typeof SearchCatalogue>;

/** GET /ui/api/search/complete?field=&text= */
export const SearchCompletions = Type.Object({
  values: Type.Array(Type.Object({ value: Type.String(), domains: NullableInteger })),
});
export type SearchCompletions = Static<typeof SearchCompletions>;

/** GET /ui/api/search-hash/:hash → query; POST /ui/api/search-hash { query } → hash */
export const HashedSearch = Type.Object({ query: SearchQuery, ql: Type.String() });
export type HashedSearch = Static<typeof HashedSearch>;
export const SearchHashRequest = Type.Object({ query: SearchQuery });
export const SearchHash = Type.Object({ hash: Type.String() });
export type SearchHash = Static<typeof SearchHash>;

/** A mistake in a query, in the `error` of a 422 beside `fields.ql`. Lines and columns count from 1, columns and length UTF-16 units. */
export const QueryMistake = Type.Object({
  line: Type.Integer(),
  column: Type.Integer(),
  length: Type.Integer({ description: '0 at the end of the query' }),
});
export type QueryMistake = Static<typeof QueryMistake>;

export const exportFormats = ['csv', 'ndjson', 'stix', 'txt'] as const;

/** Options of GET /ui/api/export, beside the search. The answer is a file. */
export const ExportOptions = Type.Object({
  as: oneOf(exportFormats),
  defang: Type.Optional(Type.Boolean({ description: 'domains as example[.]com; not for stix' })),
});
export type ExportFormat = (typeof exportFormats)[number];

export const valueKinds = ['ip', 'name_server', 'email', 'certificate'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** How the value occurs in records: an address may be of the website, of a mail server and of a name server. */
export const ValueRole = Type.Object({
  parameter: Type.String({ description: 'the search parameter of this role' }),
  domains: Type.Integer(),
  average_risk: NullableNumber,
  guided: Type.Boolean(),
});
export type ValueRole = Static<typeof ValueRole>;

/** GET /ui/api/values/:kind/:value. Kept for a minute, and counted as one request to Investigate in it. */
export const ValuePage = Type.Object({
  kind: oneOf(valueKinds),
  value: Type.String({ description: 'in its normal form' }),
  query: nullable<SearchQuery>('finds the domains; null where no search parameter does, as for IPv6'),
  total: Type.Integer({
    description: 'of the role with most domains, which query, domains and facets are about',
  }),
  too_many: Type.Boolean(),
  average_risk: NullableNumber,
  guided: Type.Boolean(),
  roles: Type.Array(ValueRole, { description: 'those that occur, most domains first' }),
  domains: Type.Array(SearchRow, { description: 'the 25 riskiest; none of too many' }),
  facets: Type.Array(Facet),
  facts: Type.Array(
    Type.Object({
      name: oneOf([
        'country_code',
        'isp',
        'asn',
        'address',
        'domain',
        'common_name',
        'subject',
        'organization',
        'issuer_common_name',
        'alt_name',
        'not_before',
        'not_after',
      ]),
      values: Type.Array(Type.String()),
      more: Type.Integer(),
    }),
    { description: 'what the records say of the value itself' },
  ),
  passive_dns: nullable<{ first: string; last: string; records: number; more: boolean }>(
    'null: not for this kind, nothing known, or the account has no passive DNS',
  ),
  limits: SearchLimits,
});
export type ValuePage = Static<typeof ValuePage>;
