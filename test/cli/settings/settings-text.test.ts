import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsText } from '../../../src/cli/settings/settings-text.ts';
import { readConfig } from '../../../src/config.ts';

const effectiveOf = (flags: Readonly<Record<string, string>>) =>
  readConfig({
    environment: {},
    flags: Object.fromEntries(Object.entries(flags).map(([key, text]) => [key, { flag: '--set', text }])),
  }).effective;

test('every setting is described within 80 columns, long values included', () => {
  const hosts = Array.from({ length: 40 }, (_, at) => `name-${at}.example`).join(',');
  const text = settingsText(effectiveOf({ 'compat.hosts': hosts }), 80);
  assert.deepEqual(
    text.split('\n').filter((line) => line.length > 80),
    [],
  );
  assert.ok(text.replaceAll('\n    ', '').includes('"name-39.example"]'));
});

test('a setting has its value and origin in one line, and its description and variable below', () => {
  const text = settingsText(effectiveOf({ 'http.port': '9000' }), 80);
  assert.ok(
    text.includes(
      [
        'http.port = 9000  # from flag --set',
        '    port to listen on; 0 chooses a free port',
        '    integer from 0 to 65535; NAMEGLASS_HTTP_PORT',
      ].join('\n'),
    ),
  );
});

test('a secret is hidden', () => {
  const text = settingsText(effectiveOf({ 'mail.password': 'hunter2' }), 80);
  assert.ok(text.includes('mail.password = "(hidden)"') && !text.includes('hunter2'));
});
