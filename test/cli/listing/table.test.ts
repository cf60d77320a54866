import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Column, member } from '../../../src/cli/listing/column.ts';
import { detailsText } from '../../../src/cli/listing/details.ts';
import { displayWidth, fitted } from '../../../src/cli/listing/display-width.ts';
import { Table } from '../../../src/cli/listing/table.ts';

interface Row {
  readonly domain: string;
  readonly title: string;
  readonly risk: number;
}

const columns: readonly Column<Row>[] = [
  member('domain', { keep: true }),
  member('risk', { right: true, colour: () => 'red' }),
  member('title'),
];

function linesOf(rows: readonly Row[], width: number, colour = false): readonly string[] {
  const table = new Table(columns, rows, { columns: width, colour });
  return [table.head(), ...rows.map((row) => table.row(row))];
}

test('columns stand below their titles, numbers at the right, without trailing spaces', () => {
  const rows = [
    { domain: 'a.example', title: 'Sign in', risk: 100 },
    { domain: 'longer.example', title: '', risk: 7 },
  ];
  assert.deepEqual(linesOf(rows, 80), [
    'DOMAIN          RISK  TITLE',
    'a.example        100  Sign in',
    'longer.example     7',
  ]);
});

test('no line is wider than the terminal while the columns can still shrink', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 40, max: 120 }), (domain, title, width) => {
      for (const line of linesOf([{ domain, title, risk: 1 }], width))
        assert.ok(displayWidth(line) <= width, line);
    }),
  );
});

test('the domain stays whole while another column can give way', () => {
  const [, line] = linesOf([{ domain: 'a-long-name.example', title: 'x'.repeat(60), risk: 1 }], 50);
  assert.ok(line?.startsWith('a-long-name.example '));
  assert.ok(line?.endsWith('…'));
});

test('control and direction-changing characters of a cell are escaped', () => {
  const [, line] = linesOf([{ domain: '\u001b[31mred\u202e', title: '', risk: 1 }], 80);
  assert.ok(line?.startsWith('\\u{1b}[31mred\\u{202e}'));
});

test('colours do not change the width of a column', () => {
  const rows = [{ domain: 'a.example', title: 'x', risk: 9 }];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
  const plain = linesOf(rows, 80, true).map((line) => line.replaceAll(/\u001b\[\d+m/g, ''));
  assert.deepEqual(plain, linesOf(rows, 80));
});

test('wide characters count twice and combining ones not at all', () => {
  assert.equal(displayWidth('ab'), 2);
  assert.equal(displayWidth('日本'), 4);
  assert.equal(displayWidth('e\u0301'), 1);
});

test('a text that is too wide ends with an ellipsis', () => {
  assert.equal(fitted('example', 7), 'example');
  assert.equal(fitted('example', 5), 'exam…');
  assert.equal(fitted('日本語', 4), '日…');
});

test('details wrap below their value, and those without a value are left out', () => {
  const sections = [
    { details: [{ name: 'domain', value: 'a.example' }] },
    {
      title: 'More',
      details: [
        { name: 'empty', value: undefined },
        { name: 'list', value: ['one two three', 'four five six'] },
      ],
    },
    { title: 'Nothing', details: [{ name: 'none', value: [] }] },
  ];
  assert.equal(
    detailsText(sections, { columns: 37, colour: false }),
    'domain          a.example\n\nMore\n  list          one two three, four\n                five six\n',
  );
});
