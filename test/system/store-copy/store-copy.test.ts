import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { announceRunning } from '../../../src/cli/running/announce-running.ts';
import { storeCopier } from '../../../src/store-copy/store-copier.ts';
import { backOf, plannedCopies } from '../../harness/fixtures/planned-copies.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { fileScope } from '../../harness/test-scope.ts';

const planned = await plannedCopies(fileScope());
const copier = storeCopier({ now: () => Date.now() });

test('everything in every table is the same after a copy to distributed stores and back', async (t) => {
  const request = await planned(t);
  if (!request) return;
  const copied = await copier.copy(request);
  assert.deepEqual((await copier.verify(request)).differences, []);
  const back = backOf(t, request);
  const returned = await copier.copy(back);
  assert.deepEqual((await copier.verify(back)).differences, []);
  assert.deepEqual(returned, copied);
});

test('a verification names rows, numbers, lines and images that are not the same', async (t) => {
  const request = await planned(t);
  if (!request) return;
  await copier.copy(request);
  await request.run("update daily_use set used = used + 1 where account_id like '%12'");
  await request.run("delete from listed_domain where domain like '%12'");
  await request.run("insert into retired_key values ('one more')");
  await request.run("select setval('decision_number_seq', 1)");
  await request.run("update image set object = 'gone'");
  await request.run("delete from stream_segment where stream = 'feed-nod' and start_byte = 0");
  await request.run('update stream set start_byte = 513, start_line = 1');
  const { differences } = await copier.verify(request);
  assert.match(differences.join('\n'), /daily_use → daily_use: row .* has another used/);
  assert.match(differences.join('\n'), /listed → listed_domain: row .* is missing in the copy/);
  assert.match(differences.join('\n'), /retired_key → retired_key: row "one more" is in the copy alone/);
  assert.match(differences.join('\n'), /decision → decision: numbers go on behind 1, and \d+ was given/);
  assert.match(differences.join('\n'), /image [0-9a-f]{64}: PostgreSQL and S3: the object is missing/);
  assert.match(differences.join('\n'), /stream feed-nod: .* has bytes 0 to \d+ in 3 lines/);
  assert.equal(differences.length, 6, differences.join('\n'));
});

test('a copy is refused to stores that are not empty, from or to stores in use, and with another secret', async (t) => {
  const request = await planned(t);
  if (!request) return;
  const secret = '0'.repeat(64);
  await assert.rejects(copier.copy({ ...request, settings: { ...request.settings, secret } }), /secret\.key/);
  await request.run(`insert into process_report values ('api-1', 0, ${Date.now()}, '{}')`);
  await assert.rejects(copier.copy(request), /nodes run on these stores \(api-1\)/);
  await request.run('delete from process_report');
  await request.run("insert into retired_key values ('somebody else')");
  await assert.rejects(copier.copy(request), /table retired_key is not empty; .*drop schema copy_/);
  const back = { ...backOf(t, request), directory: request.directory };
  await assert.rejects(copier.copy(back), /is not empty \(.*\); choose a new directory/);
  await request.run('delete from schema_migration where part = $$jobs$$');
  await assert.rejects(copier.copy(request), /lacks 1 migrations of this version/);
});

test('the rest of a copy is refused when its source has changed meanwhile', async (t) => {
  const request = await planned(t);
  if (!request) return;
  await request.run("insert into store_copy (source) values ('another moment')");
  await assert.rejects(copier.copy(request), /complete, or of other data than --from has now/);
});

test('the command names both sides, and a server that runs on the data directory', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(temporaryDirectory(t), 'nodes.json');
  writeFileSync(file, JSON.stringify({ store: { kind: 'distributed' } }));
  const copy = (from: string, to: string) =>
    nameglass(['store', 'copy', '--from', from, '--to', to, '--config', file]);
  const same = await copy(`embedded:${data}`, `embedded:${data}`);
  assert.match(same.err, /one of --from and --to must be embedded:DIR, and the other distributed/);
  const announcement = { url: 'http://127.0.0.1:1', version: '', startedMs: 0, effective: [] };
  const { withdraw } = announceRunning(data, { ...announcement, role: 'api' });
  t.after(withdraw);
  const used = await copy(`embedded:${data}`, 'distributed');
  assert.match(used.err, new RegExp(`a server runs on ${data} \\(process ${process.pid}, .*stop it`));
  assert.deepEqual([same.code, used.code], [2, 1]);
});
