import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findJsonExcess } from '../../src/model/json-bounds.ts';

test('JSON of ordinary size is within the bounds', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 10 }), (text) => assert.equal(findJsonExcess(text), undefined)));
  const queries = Array.from({ length: 1000 }, (_, id) => ({
    id: `${id}`,
    query: 'lookup/rrset/name/a{b}:[c]',
  }));
  assert.equal(findJsonExcess(JSON.stringify({ queries })), undefined);
  assert.equal(
    findJsonExcess(`{"a":"${'[{:'.repeat(50_000)}"}`),
    undefined,
    'marks in a string do not count',
  );
  assert.equal(
    findJsonExcess(`{"a":"${String.raw`\"[`.repeat(50_000)}"}`),
    undefined,
    'nor after an escaped quote',
  );
});

test('JSON with too many values or levels is refused before it is parsed', () => {
  const members = Array.from({ length: 10_001 }, (_, at) => `"${at}":0`);
  assert.match(findJsonExcess(`{${members.join(',')}}`) ?? '', /more than 10000 values/);
  assert.match(findJsonExcess(`{"a":[${'{},'.repeat(10_001)}1]}`) ?? '', /more than 10000 values/);
  assert.match(findJsonExcess(`[${'1,'.repeat(10_000)}1]`) ?? '', /more than 10000 values/);
  assert.match(findJsonExcess('['.repeat(101)) ?? '', /deeper than 100 levels/);
  assert.match(findJsonExcess('{"a":'.repeat(101)) ?? '', /deeper than 100 levels/);
  assert.equal(findJsonExcess(`${'['.repeat(100)}${']'.repeat(100)}`), undefined);
});
