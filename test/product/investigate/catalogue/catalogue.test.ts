/** The catalogue of search parameters and columns agrees with what searches understand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributes } from '../../../../src/model/record/attributes.ts';
import type { Condition } from '../../../../src/model/record/condition.ts';
import {
  columns,
  defaultColumns,
  defaultFacets,
  parameterOfColumn,
} from '../../../../src/product/investigate/catalogue/columns.ts';
import { valueOfParameter } from '../../../../src/product/investigate/catalogue/parameter-values.ts';
import { parseQuery } from '../../../../src/product/investigate/parse-query.ts';
import { operatorsOf } from '../../../../src/product/investigate/query-fields.ts';
import { findParameter, namedParameters } from '../../../../src/product/investigate/search-parameters.ts';

const context = { accountId: 'a', userId: 'u', nowMs: Date.parse('2026-03-04T10:00:00Z'), domainsMax: 100 };

test('every parameter has examples, and each of them is valid', () => {
  for (const { name, parse } of namedParameters) {
    const { examples } = valueOfParameter(name);
    assert.ok(examples.length > 0, name);
    for (const example of examples) assert.doesNotThrow(() => parse(example, context), `${name}=${example}`);
  }
});

test('every operator that a parameter is said to support is understood by the query language', () => {
  for (const { name } of namedParameters) {
    const [example = ''] = valueOfParameter(name).examples;
    for (const operator of operatorsOf(name)) {
      const value = operator === 'WITHIN' ? 'the last 3 days' : example.replace(/^[<>]=?/, '');
      assert.doesNotThrow(() => parseQuery(`${name} ${operator} "${value}"`, context), `${name} ${operator}`);
    }
  }
});

function attributesOf(condition: Condition): readonly string[] {
  if (condition.kind === 'has' || condition.kind === 'contains') return condition.attributes;
  return condition.kind === 'or' ? condition.of.flatMap(attributesOf) : [];
}

test('the parameter of a column finds values of that column', () => {
  const byNumber = ['create_date', 'expiration_date', 'tld'];
  for (const column of columns) {
    const name = parameterOfColumn(column);
    if (name === undefined || byNumber.includes(name)) continue;
    const parameter = findParameter(name) ?? assert.fail(name);
    const example = valueOfParameter(name).examples[0] ?? (/phone|fax/.test(name) ? '1' : 'a@b.example');
    const found = attributesOf(parameter.parse(example, context));
    // Addresses in certificates are searched for together, wherever they stand.
    const wanted = column === 'ssl_info.email' ? 'ssl_email' : column;
    assert.ok(found.includes(wanted), `${column} by ${name}: ${found.join()}`);
  }
});

test('the usual columns and facets exist, and each facet has a parameter', () => {
  for (const column of defaultColumns) assert.ok(columns.includes(column), column);
  for (const facet of defaultFacets) {
    assert.ok(attributes.includes(facet), facet);
    assert.notEqual(parameterOfColumn(facet), undefined);
  }
});
