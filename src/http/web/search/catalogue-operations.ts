/** What a search can consist of: parameters, columns, facets; and values to complete what is typed. None of it counts against a limit. */
import { Type } from 'typebox';
import { attributes } from '../../../model/record/attributes.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import {
  columns,
  defaultColumns,
  defaultFacets,
  parameterOfColumn,
} from '../../../product/investigate/catalogue/columns.ts';
import {
  type CompletionNeeds,
  ValueCompletion,
} from '../../../product/investigate/catalogue/complete-value.ts';
import { valueOfParameter } from '../../../product/investigate/catalogue/parameter-values.ts';
import { operatorsOf } from '../../../product/investigate/query-fields.ts';
import type { SearchParameter } from '../../../product/investigate/search-parameter.ts';
import { namedParameters, parsedParameters } from '../../../product/investigate/search-parameters.ts';
import { tagReader } from '../../../product/investigate/tags.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { searchProduct } from './charged-searches.ts';
import {
  type CatalogueColumn,
  type CatalogueParameter,
  SearchCatalogue,
  SearchCompletions,
  type ValueKind,
} from './search-wire.ts';

export interface CatalogueNeeds extends CompletionNeeds {
  readonly settings: Pick<Settings, 'limits'>;
}

export function catalogueOperations(needs: CatalogueNeeds): readonly WebOperation[] {
  const { matchesMax, pageSizeMax, domainsMax } = needs.settings.limits.investigate;
  const catalogue: SearchCatalogue = {
    parameters: [...namedParameters, ...parsedParameters].map(parameterView),
    // The usual ones first, in their order.
    columns: [...new Set([...defaultColumns, ...columns])].map(columnView),
    facets: [...defaultFacets],
    matches_max: matchesMax,
    page_size_max: pageSizeMax,
    domains_max: domainsMax,
    export_max: matchesMax,
  };
  const completion = new ValueCompletion(needs);
  const list = defineWebOperation({
    method: 'GET',
    path: '/search/parameters',
    access: 'read',
    summary: 'The parameters, columns and limits of searches',
    answer: SearchCatalogue,
    handle: async () => catalogue,
  });
  const complete = defineWebOperation({
    method: 'GET',
    path: '/search/complete',
    access: 'read',
    product: searchProduct,
    charge: 'page',
    summary: 'Values that complete what is typed for a search parameter',
    query: Type.Object({
      field: Type.String({ maxLength: 100 }),
      text: Type.Optional(Type.String({ maxLength: 512, default: '' })),
    }),
    answer: SearchCompletions,
    handle: async ({ query, caller, nowMs }) => {
      const values = await completion.complete(query.field, query.text ?? '', tagReader(caller, nowMs));
      return { values: [...values] };
    },
  });
  return [list, complete];
}

function parameterView({ name, role, about }: SearchParameter): CatalogueParameter {
  const { form, examples } = valueOfParameter(name);
  return { name, kind: role, value: form, about, examples: [...examples], operators: [...operatorsOf(name)] };
}

const pages: Readonly<Record<string, ValueKind>> = {
  'ip.address': 'ip',
  'mx.ip': 'ip',
  'name_server.ip': 'ip',
  'name_server.host': 'name_server',
  'mx.host': 'name_server',
  'ssl_info.hash': 'certificate',
};

function columnView(name: string): CatalogueColumn {
  return {
    name,
    parameter: parameterOfColumn(name) ?? null,
    value_page:
      (Object.hasOwn(pages, name) ? pages[name] : undefined) ?? (name.endsWith('email') ? 'email' : null),
    facet: attributes.includes(name),
    shown: defaultColumns.includes(name),
  };
}
