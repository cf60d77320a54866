import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budget, overBudget } from '../../scripts/web-budget.ts';

const manifest = {
  'index.html': {
    file: 'assets/index.js',
    isEntry: true,
    imports: ['_shared.js'],
    css: ['assets/index.css'],
  },
  '_shared.js': { file: 'assets/shared.js' },
  'src/triage.tsx': {
    file: 'assets/triage.js',
    isDynamicEntry: true,
    imports: ['_shared.js', '_list.js'],
    css: ['assets/triage.css'],
  },
  '_list.js': { file: 'assets/list.js' },
  'latin.woff2': { file: 'assets/inter-latin-wght-normal-x.woff2' },
  'ext.woff2': { file: 'assets/inter-latin-ext-wght-normal-x.woff2' },
};

const sizes = (given: Readonly<Record<string, number>>) => (file: string) => given[file] ?? 0;

test('a build within its budget is accepted', () => {
  const exactly = {
    'assets/index.js': budget.initialScript - 1,
    'assets/shared.js': 1,
    'assets/triage.js': budget.lazyRoute,
    'assets/index.css': budget.initialStyles,
    'assets/triage.css': budget.lazyStyles,
    'assets/inter-latin-wght-normal-x.woff2': budget.latinFonts,
    'assets/inter-latin-ext-wght-normal-x.woff2': 1e9,
  };
  assert.deepEqual(overBudget(manifest, sizes(exactly)), []);
});

test('every excess is named with its size, and what a route imports counts unless it is loaded already', () => {
  const over = {
    'assets/index.js': budget.initialScript,
    'assets/shared.js': 5,
    'assets/triage.js': budget.lazyRoute,
    'assets/list.js': 7,
    'assets/index.css': budget.initialStyles + 1,
    'assets/triage.css': budget.lazyStyles + 1,
    'assets/inter-latin-wght-normal-x.woff2': budget.latinFonts + 1,
  };
  assert.deepEqual(overBudget(manifest, sizes(over)), [
    'initial JavaScript: 150005 bytes gzipped, 150000 allowed',
    'initial style sheets: 12001 bytes gzipped, 12000 allowed',
    'Latin fonts: 100001 bytes gzipped, 100000 allowed',
    'JavaScript of src/triage.tsx: 60007 bytes gzipped, 60000 allowed',
    'style sheets of src/triage.tsx: 6001 bytes gzipped, 6000 allowed',
  ]);
});
