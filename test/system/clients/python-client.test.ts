/** The Python client with Debian's Python, against a real server and against one that breaks its responses. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { withFeeds } from '../../api/feed/feed-fixture.ts';
import { describedServer } from '../../api/openapi/described-server.ts';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { brokenServer } from './broken-server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const checks = join(import.meta.dirname, 'python/check_client.py');

test('the Python client reads, signs, pages, streams, waits and fails as it should', {
  timeout: 900_000,
}, async (t) => {
  if (!needsPackage(t, 'python3', 'python3')) return;
  const { server, url, user } = await describedServer({ after });
  // A client signs with the time of day.
  server.clock.set(new Date().toISOString());
  await withFeeds(server, user.key, user.username).appendNames('nod', 'now.example');
  const env = {
    PYTHONPATH: join(root, 'clients/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    SERVER: url,
    BROKEN: await brokenServer(t),
    KEY: user.key,
    BATCH_KEY: user.batchKey,
    USERNAME: user.username,
  };
  // Warnings are errors: a connection that is not closed is one.
  const { stderr } = await run(commandPath('python3') as string, ['-W', 'error', checks], { env }).catch(
    ({ stdout, stderr: report }: { stdout: string; stderr: string }) => assert.fail(`${stdout}${report}`),
  );
  assert.match(stderr, /Ran (?:1[5-9]|[2-9]\d) tests/);
  assert.match(stderr, /\nOK\n$/);
});

test('the Python client is written for Python 3.9 and imports the standard library alone', async (t) => {
  if (!needsPackage(t, 'python3', 'python3')) return;
  const source = readFileSync(join(root, 'clients/python/nameglass.py'), 'utf8');
  const imported = [...source.matchAll(/^(?:import|from) ([\w]+)/gm)].map(([, name]) => name as string);
  const script = `import ast, sys
ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))
print([name for name in sys.argv[2:] if name not in sys.stdlib_module_names])`;
  const args = ['-c', script, join(root, 'clients/python/nameglass.py'), ...imported];
  const { stdout } = await run(commandPath('python3') as string, args);
  assert.ok(imported.length > 10);
  assert.equal(stdout, '[]\n');
});
