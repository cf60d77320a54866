import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonRows } from '../../../../src/store/distributed/postgres/json-rows.ts';

test('what PostgreSQL has no text for becomes the replacement character, in lists and objects too', () => {
  const rows = [{ name: 'a\0b', list: ['\0', '\ud800'], more: { text: '\udc00é' } }];
  assert.deepEqual(JSON.parse(jsonRows(rows)), [
    { name: 'a\ufffdb', list: ['\ufffd', '\ufffd'], more: { text: '\ufffdé' } },
  ]);
});

test('other rows are as they were', () => {
  const rows = [{ text: '\\u0000 \ud83d\ude00 \n', none: null, count: 1.5, flag: false, list: [] }];
  assert.deepEqual(JSON.parse(jsonRows(rows)), rows);
});
