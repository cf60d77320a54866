import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAcceptingLogs } from '../../../../src/collect/sources/certificate-logs/log-list.ts';
import { Problem } from '../../../../src/model/problem.ts';

const nowMs = Date.parse('2026-11-16T00:00:00Z');
const usable = { usable: { timestamp: '2026-01-01T00:00:00Z' } };
const period = (end_exclusive: string) => ({ temporal_interval: { end_exclusive } });
const open = { key: 'MFkw', state: usable, ...period('2027-01-01T00:00:00Z') };

const listOf = (logs: readonly unknown[], tiled_logs: readonly unknown[] = []) =>
  JSON.stringify({ operators: [{ name: 'Elm', logs, tiled_logs }] });
const namesOf = (text: string) => findAcceptingLogs(text, nowMs).map(({ log }) => log.name);

test('a log is named as its description quotes it, with the address of its kind', () => {
  const found = findAcceptingLogs(
    listOf(
      [{ ...open, description: "Google 'Argon2026h2' log", url: 'https://ct.example/argon2026h2/' }],
      [
        {
          ...open,
          description: "Elm 'Tiled 1'",
          submission_url: 'https://s.example/',
          monitoring_url: 'https://m.example/',
        },
      ],
    ),
    nowMs,
  );
  assert.deepEqual(found, [
    {
      operator: 'Elm',
      log: {
        name: 'argon2026h2',
        url: 'https://ct.example/argon2026h2/',
        kind: 'rfc6962',
        publicKey: 'MFkw',
      },
    },
    {
      operator: 'Elm',
      log: { name: 'tiled-1', url: 'https://m.example/', kind: 'static', publicKey: 'MFkw' },
    },
  ]);
});

test('logs that are closed, on trial or past their period are left out, and those of later periods are not', () => {
  const of = (name: string, more: object) => ({
    ...open,
    description: `'${name}'`,
    url: 'https://x.example/',
    ...more,
  });
  const logs = [
    of('usable', {}),
    of('qualified', { state: { qualified: {} } }),
    of('later', period('2029-01-01T00:00:00Z')),
    of('over', period('2026-11-01T00:00:00Z')),
    of('readonly', { state: { readonly: {} } }),
    of('retired', { state: { retired: {} } }),
    of('pending', { state: { pending: {} } }),
    of('stateless', { state: undefined }),
  ];
  assert.deepEqual(namesOf(listOf(logs)), ['usable', 'qualified', 'later']);
});

test('an apostrophe before the quoted name is no quote, and a description may quote nothing', () => {
  const described = (description: string) => ({ ...open, description, url: 'https://x.example/' });
  const logs = ["Let's Encrypt 'Oak2027h1' log", "Let's Encrypt 'Willow2027h1'", 'TrustAsia Log2027a'];
  assert.deepEqual(namesOf(listOf(logs.map(described))), ['oak2027h1', 'willow2027h1', 'trustasia-log2027a']);
});

test('names are unique and usable as names of sources', () => {
  const twice = { ...open, description: "'Log A/B'", url: 'https://x.example/' };
  assert.deepEqual(namesOf(listOf([twice, twice])), ['log-a-b', 'log-a-b-2']);
  assert.deepEqual(namesOf(listOf([{ ...open, url: 'https://x.example/2027/' }])), ['x.example-2027']);
});

test('entries that are no logs are skipped, and a text that is no list is refused', () => {
  assert.deepEqual(
    namesOf(listOf([null, 1, {}, { ...open, url: 'ftp://x.example/' }, { ...open, key: '' }])),
    [],
  );
  for (const text of ['', '{', '[]', '{"operators":{}}', '<!doctype html>'])
    assert.throws(() => findAcceptingLogs(text, nowMs), Problem);
});
