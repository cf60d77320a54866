/** An installation moves from one machine to several nodes, and back: every client gets the same answers. */
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openServerSecret } from '../../src/store/key-vault.ts';
import { startPostgres } from '../harness/engines/postgres.ts';
import { startRadosGateway } from '../harness/engines/rados-gateway.ts';
import { movedInstallation } from '../harness/fixtures/moved-installation.ts';
import { nameglass, serve } from '../harness/server/command-line.ts';
import { askAll, type StoredAnswer, storedQuestions, unlimited } from '../harness/server/stored-questions.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const questionsMin = 500;

test('500 questions have the same answers before a copy, on distributed stores, and after the copy back', {
  timeout: 900_000,
}, async (t) => {
  const postgres = await startPostgres(t);
  const gateway = postgres && (await startRadosGateway(t));
  if (!postgres || !gateway) return t.skip('skipped: no PostgreSQL or no radosgw');
  const installation = await movedInstallation(t);
  const { data } = installation;
  const node = temporaryDirectory(t);
  const config = join(node, 'nodes.json');
  const store = { kind: 'distributed', postgres: { url: postgres.url }, s3: gateway.newOptions() };
  const secret = openServerSecret(data, '').toString('hex');
  writeFileSync(config, JSON.stringify({ secret, data: node, store }), { mode: 0o600 });
  const run = async (...args: readonly string[]) => {
    const { code, out, err } = await nameglass([...args, '--config', config]);
    assert.equal(code, 0, out + err);
    return out;
  };
  await run('store', 'migrate');
  t.diagnostic(await run('store', 'copy', '--from', `embedded:${data}`, '--to', 'distributed', '--verify'));
  const back = join(temporaryDirectory(t), 'back');
  t.diagnostic(await run('store', 'copy', '--from', 'distributed', '--to', `embedded:${back}`, '--verify'));
  // Passive DNS is not copied: its files go where they are needed.
  for (const directory of [node, back])
    cpSync(join(data, 'rrsets'), join(directory, 'rrsets'), { recursive: true });

  const questions = storedQuestions(installation);
  const limits = unlimited.flatMap((assignment) => ['--set', assignment]);
  const ask = async (...args: readonly string[]) => {
    const server = await serve(t, ['--role', 'api', ...args, ...limits]);
    const answers = await askAll(server.url, installation, questions);
    assert.equal(await server.stop(), 0);
    return answers;
  };
  const before = await ask('--data', data);
  const distributed = await ask('--config', config);
  const after = await ask('--data', back);
  assert.ok(before.length >= questionsMin, `${before.length} questions`);
  const refused = before.filter(({ status }) => status !== 200);
  assert.deepEqual(
    refused.map(({ question, status, text }) => `${question}: ${status} ${text.slice(0, 200)}`),
    [],
  );
  assert.deepEqual(differing(before, distributed), []);
  assert.deepEqual(differing(before, after), []);
});

/** Each with the first characters that are not the same. */
function differing(expected: readonly StoredAnswer[], found: readonly StoredAnswer[]): readonly string[] {
  return expected.flatMap(({ question, status, text }, index) => {
    const other = found[index] as StoredAnswer;
    if (status === other.status && text === other.text) return [];
    let same = 0;
    while (same < text.length && text[same] === other.text[same]) same += 1;
    const at = Math.max(0, same - 80);
    const [one, two] = [text, other.text].map((each) => each.slice(at, at + 200));
    return [`${question}: ${status} …${one}… became ${other.status} …${two}…`];
  });
}
