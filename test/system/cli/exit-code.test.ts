import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { canaryKey } from '../../harness/artifacts.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

/** Usage errors add one line that points to --help. */
const pointer = '(--help shows the usage)';

const misuses: [name: string, args: string[], says: RegExp][] = [
  ['an unknown command', ['frobnicate'], /frobnicate/],
  ['an unknown option', ['version', '--bogus'], /--bogus/],
  ['account create without a username', ['account', 'create'], /--username/],
  ['an option without its value', ['account', 'create', '--username'], /--username/],
  [
    'an unknown permission',
    ['account', 'create', '--username', 'a', '--permissions', 'root'],
    /read, triage/,
  ],
  ['a channel above 255', ['account', 'create', '--username', 'a', '--channels', '256'], /1 to 255/],
  ['an unknown quota', ['account', 'create', '--username', 'a', '--pdns-quota', 'weekly:5'], /daily:N/],
  ['an unknown product', ['account', 'provision', 'a', 'weather'], /intel-enrich/],
  ['a day that is none', ['account', 'provision', 'a', 'all', '--expires', '2027-13-01'], /2027-01-31/],
  ['account show without a name', ['account', 'show'], /username/],
  ['an unknown role', ['serve', '--role', 'boss'], /all, api, worker/],
  ['a port that is no number', ['serve', '--port', 'http'], /http\.port/],
];

for (const [name, args, says] of misuses) {
  test(`${name} gives exit code 2 and one clear line`, async () => {
    const { code, out, err } = await nameglass(args);
    assert.equal(code, 2);
    const lines = err
      .trimEnd()
      .split('\n')
      .filter((line) => line !== pointer);
    assert.equal(lines.length, 1, err);
    assert.match(lines[0] as string, says);
    assert.equal(out, '');
  });
}

test('an invalid username, key or batch key gives exit code 2 and names the field', async (t) => {
  const data = temporaryDirectory(t);
  const create = (...args: string[]) => nameglass(['account', 'create', '--data', data, ...args]);
  const [username, key, batchKey] = await Promise.all([
    create('--username', 'a b'),
    create('--username', 'a', '--key', 'short'),
    create('--username', 'a', '--batch-key', 'no-uuid'),
  ]);
  for (const [field, { code, err }] of Object.entries({ username, key, 'batch-key': batchKey })) {
    assert.equal(code, 2);
    assert.match(err, new RegExp(`^nameglass: ${field}: .*\n$`));
  }
});

test('a name that is unknown or in use gives exit code 1 and one line that names it', async (t) => {
  const data = temporaryDirectory(t);
  const key = canaryKey();
  const first = await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', key]);
  assert.equal(first.code, 0, first.err);
  const outcomes = await Promise.all(
    [
      ['account', 'create', '--username', 'alice'],
      ['account', 'show', 'bob'],
      ['account', 'disable', 'bob'],
      ['account', 'provision', 'bob', 'all'],
      ['key', 'reset', 'bob'],
    ].map((args) => nameglass([...args, '--data', data])),
  );
  for (const { code, err } of outcomes) {
    assert.equal(code, 1);
    assert.match(err, /^nameglass: .*(alice|bob).*\n$/);
  }
});

test('a key of another user is rejected without being printed', async (t) => {
  const data = temporaryDirectory(t);
  const key = canaryKey();
  const create = (username: string) =>
    nameglass(['account', 'create', '--data', data, '--username', username, '--key', key]);
  assert.equal((await create('alice')).code, 0);
  const second = await create('bob');
  assert.equal(second.code, 1);
  assert.match(second.err, /^nameglass: .*key.*\n$/);
  assert.ok(!second.err.includes(key));
});

test('a damaged server secret gives exit code 1 and one line without a stack trace', async (t) => {
  const data = temporaryDirectory(t);
  writeFileSync(join(data, 'secret.key'), 'garbage\n');
  const { code, err } = await nameglass(['account', 'create', '--username', 'alice', '--data', data]);
  assert.equal(code, 1);
  assert.match(err, /^nameglass: .*secret\.key.*\n$/);
});

test('an invalid database file gives exit code 1 and one line without a stack trace', async (t) => {
  const data = temporaryDirectory(t);
  writeFileSync(join(data, 'accounts.db'), 'this is no database at all, only some text'.repeat(50));
  const { code, err } = await nameglass(['account', 'list', '--data', data]);
  assert.equal(code, 1);
  assert.match(err, /^nameglass: .*\n$/);
});

test('a data directory that is a file gives exit code 1 and one line that names it', async (t) => {
  const file = join(temporaryDirectory(t), 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o600);
  const { code, err } = await nameglass(['account', 'list', '--data', file]);
  assert.equal(code, 1);
  assert.match(err, /^nameglass: .*\n$/);
  assert.ok(err.includes(file));
});

test('version prints only the version', async () => {
  const { code, out, err } = await nameglass(['version']);
  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
  assert.equal(err, '');
});

test('requested help goes to standard output with exit code 0', async () => {
  const outcomes = await Promise.all(
    [['--help'], ['help'], ['account', '--help'], ['account', 'help', 'create'], ['serve', '-h']].map(
      (args) => nameglass(args),
    ),
  );
  for (const { code, out, err } of outcomes) {
    assert.equal(code, 0);
    assert.match(out, /^Usage: nameglass/);
    assert.equal(err, '');
  }
});

test('a command without its subcommand shows the help as an error with exit code 2', async () => {
  const outcomes = await Promise.all([nameglass([]), nameglass(['account']), nameglass(['key'])]);
  for (const { code, out, err } of outcomes) {
    assert.equal(code, 2);
    assert.match(err, /Usage: nameglass/);
    assert.equal(out, '');
  }
});
