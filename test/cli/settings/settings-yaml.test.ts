import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { settingsYaml } from '../../../src/cli/settings/settings-yaml.ts';

test('groups are opened once, comments stand above their setting, and inactive settings are comments', () => {
  const text = settingsYaml([
    { key: 'data', value: './data', comments: ['where it is'], isActive: true },
    { key: 'http.port', value: 80, comments: [], isActive: true },
    { key: 'http.host', value: '::1', comments: ['listens'], isActive: false },
    { key: 'limits.detect.each', value: 3, comments: [], isActive: true },
    { key: 'limits.users', value: 4, comments: [], isActive: true },
  ]);
  assert.equal(
    text,
    `# where it is
data: ./data

http:
  port: 80
  # listens
  #host: ::1

limits:
  detect:
    each: 3
  users: 4
`,
  );
});

test('items of a list can be comments, with the reason above', () => {
  const text = settingsYaml([
    {
      key: 'sources.nameLists',
      value: [{ name: 'good', location: '/a b' }],
      comments: [],
      isActive: true,
      inactiveItems: [{ value: { name: 'bad', location: 'x' }, reason: 'no answer' }],
    },
  ]);
  assert.ok(text.includes('    # no answer\n    #- {name: bad, location: x}\n'), text);
  assert.deepEqual(parse(text), { sources: { nameLists: [{ name: 'good', location: '/a b' }] } });
});

test('every text survives, whatever characters it has', () => {
  const values = [
    '#',
    ': ',
    '- a',
    'yes',
    '12',
    '',
    "it's",
    '"',
    '\\',
    '{a}',
    '[b',
    'ü',
    'a: b # c',
    '*x',
    '&y',
    '!z',
    '%',
    '@',
  ];
  for (const value of [values, ...values]) {
    const text = settingsYaml([{ key: 'a.b', value, comments: [], isActive: true }]);
    assert.deepEqual(parse(text), { a: { b: value } }, text);
  }
});
