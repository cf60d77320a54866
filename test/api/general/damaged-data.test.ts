/** What clients and the operator learn of stored data that is damaged. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { flipBit } from '../../harness/damage.ts';
import type { Answer, TestServer } from '../../harness/server/test-server.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { onEngines, onSharedPassiveDns } from '../../harness/server/test-stores.ts';
import { append, callBatch, day, spanOf } from '../batch/batch-fixture.ts';
import { feedServer } from '../feed/feed-fixture.ts';
import { pdnsServer } from '../pdns/pdns-fixture.ts';

const skip = onEngines('it damages a file of the embedded store');
const skipShared = onSharedPassiveDns('it damages files of passive DNS on this node');

function damageFile(server: TestServer, pattern: string): string {
  const [file = assert.fail(`no ${pattern}`)] = globSync(pattern, { cwd: server.directory });
  flipBit(join(server.directory, file), 12, 1);
  return file;
}

/** The answer names no file; the log names it in one line of level error, and the metric counts it. */
async function assertReported(server: TestServer, answer: Answer, file: string): Promise<void> {
  assert.equal(answer.status, 500, answer.text);
  assert.match(answer.text, /Stored data that this answer needs is damaged\./);
  for (const text of [server.directory, file]) assert.ok(!answer.text.includes(text), answer.text);
  const errors = server
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  assert.equal(errors.length, 1);
  assert.ok(errors[0]?.includes(`${file} is damaged at byte 0`), errors[0]);
  const { text } = await server.call('GET /metrics');
  assert.match(text, new RegExp(`nameglass_store_damage_total\\{store="${file.split('/')[0]}"\\} [1-9]`));
}

test('a feed whose next segment is damaged answers 500 and says why, without naming a file', {
  skip,
}, async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'one.example');
  const file = damageFile(server, 'streams/feed-nod/*.ndjson');
  await assertReported(server, await server.poll('nod', 'after=-60'), file);
});

test('a channel whose segment is damaged answers 500 and says why, without naming a file', {
  skip,
}, async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const file = damageFile(server, 'streams/ch212/*.ndjson');
  const answer = await callBatch(server, 'chfetch', batchKey, spanOf('12:00', '12:05'));
  await assertReported(server, answer, file);
});

test('a channel is served up to a damaged segment, and the response then ends before its length', {
  skip,
}, async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  await append(server, 212, `${day}T12:01:00Z`, ['b.example']);
  const file = damageFile(server, 'streams/ch212/*.1201.ndjson');
  const whole = await callBatch(server, 'chfetch', batchKey, spanOf('12:00', '12:01'));
  assert.equal(whole.status, 200);
  await assert.rejects(callBatch(server, 'chfetch', batchKey, spanOf('12:00', '12:05')));
  assert.ok(server.log().includes(`${file} is damaged at byte 0`));
});

test('passive DNS in a damaged file answers 500 and says why, without naming a file', {
  skip: skipShared,
}, async (t) => {
  const server = await pdnsServer(t);
  await server.observe([{ rrname: 'www.example' }]);
  const file = damageFile(server, 'rrsets/*.forward');
  const { key } = await server.user();
  const answer = await server.call('GET /pdns/v2/lookup/rrset/name/www.example', { key });
  await assertReported(server, answer, file);
});
