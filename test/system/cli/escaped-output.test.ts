import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

/** Escape sequences for colour and a link, a bell, a carriage return and a direction override. */
const hostile = '\u001b[31mred\u001b]8;;http://example.test\u0007\rx\u202ey';
const drivesTerminal = /[\p{Cc}\p{Cf}]/u;

function assertHarmless(text: string): void {
  for (const line of text.split('\n')) assert.ok(!drivesTerminal.test(line), JSON.stringify(line));
}

test('a hostile name is rejected as username and account, and is escaped in the message', async (t) => {
  const data = temporaryDirectory(t);
  const outcomes = await Promise.all([
    nameglass(['account', 'create', '--data', data, '--username', hostile]),
    nameglass(['account', 'create', '--data', data, '--username', 'alice', '--account', hostile]),
  ]);
  for (const { code, out, err } of outcomes) {
    assert.equal(code, 2);
    assertHarmless(out + err);
  }
});

test('a hostile name of an unknown user or account is escaped', async (t) => {
  const data = temporaryDirectory(t);
  const outcomes = await Promise.all([
    nameglass(['account', 'show', hostile, '--data', data]),
    nameglass(['key', 'reset', hostile, '--data', data]),
    nameglass(['account', 'disable', hostile, '--data', data]),
  ]);
  for (const { code, out, err } of outcomes) {
    assert.equal(code, 1);
    assertHarmless(out + err);
  }
});

test('a hostile option value is escaped in the error', async () => {
  const { code, err } = await nameglass(['account', 'create', '--username', 'a', '--channels', hostile]);
  assert.equal(code, 2);
  assertHarmless(err);
});

test('a hostile setting is escaped by config', async () => {
  const { code, out } = await nameglass([
    'config',
    '--set',
    `compat.hosts=a\u001b[31m`,
    `support.url=http://a/\u202e`,
  ]);
  assert.equal(code, 0);
  assertHarmless(out);
});

test('a hostile key of a file is escaped in the error', async (t) => {
  const file = join(temporaryDirectory(t), 'nameglass.yaml');
  writeFileSync(file, `"\\e[31mred": 1\n`);
  const { code, err } = await nameglass(['config', '--config', file]);
  assert.equal(code, 1);
  assertHarmless(err);
});
