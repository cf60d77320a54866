import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedLines } from '../../web/src/pages/domain/changed-lines.ts';

test('of two versions of a text only the lines that differ are left', () => {
  assert.deepEqual(changedLines('Domain: a\r\nUpdated: 1\nStatus: ok', 'Domain: a\nUpdated: 2\nStatus: ok'), {
    before: ['Updated: 1'],
    after: ['Updated: 2'],
  });
});

test('texts whose lines only moved have no changed line', () => {
  assert.deepEqual(changedLines('a\nb', 'b\na'), { before: [], after: [] });
});
