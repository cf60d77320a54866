/** Search results and facets as the app reads them. */
import { domainToUnicode } from 'node:url';
import { fieldProblem } from '../../../model/problem.ts';
import {
  defaultColumns,
  columns as knownColumns,
  parameterOfColumn,
} from '../../../product/investigate/catalogue/columns.ts';
import type { Facet } from '../../../product/investigate/facets.ts';
import type { ResultRow } from '../../../product/investigate/results/result-rows.ts';
import type { SearchRow, Facet as WireFacet } from './search-wire.ts';

export function readColumns(asked: readonly string[] | undefined): readonly string[] {
  const unknown = asked?.find((column) => !knownColumns.includes(column));
  if (unknown !== undefined)
    throw fieldProblem('invalid-parameters', 'columns', 'must be columns such as registrar or ip.address');
  return asked ?? defaultColumns;
}

export function rowOnWire({ record, tags, cells }: ResultRow): SearchRow {
  return {
    domain: domainToUnicode(record.domain) || record.domain,
    punycode: record.domain,
    active: record.active ?? false,
    risk_score: record.domain_risk?.risk_score ?? null,
    first_seen: record.first_seen ?? null,
    tags: tags.map(({ label, scope, colour }) => ({ label, scope, colour })),
    cells: Object.fromEntries(
      Object.entries(cells).map(([column, { values, more }]) => [
        column,
        { values: values.map(({ value, domains = null }) => ({ value, domains })), more },
      ]),
    ),
  };
}

export function facetOnWire(by: string, values: readonly Facet[]): WireFacet {
  return {
    by,
    parameter: parameterOfColumn(by) ?? null,
    values: values.map(({ value, domains, domainsInAll, averageRisk, guidedPivot }) => ({
      value,
      domains,
      domains_in_all: domainsInAll,
      average_risk: oneDecimal(averageRisk),
      guided: guidedPivot,
    })),
  };
}

export function oneDecimal(number: number | undefined): number | null {
  return number === undefined ? null : Math.round(number * 10) / 10;
}
