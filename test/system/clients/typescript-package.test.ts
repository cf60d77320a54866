/** The client library as it is published: compiled, with its declarations, under both of its names. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { describedServer } from '../../api/openapi/described-server.ts';
import { needsNpmTools } from '../../harness/npm-tools.ts';
import { packedPackage } from '../../harness/packed-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

const program = (name: string, { url, key }: { url: string; key: string }) => `
import { type AccountAnswer, NameglassClient, NameglassError, type Query } from '${name}';

const query: Query = { domain: ['example.com'] };
const client = new NameglassClient({ server: '${url}', key: '${key}' });
const account: AccountAnswer = await client.json('/v1/account/');
const found = await client.json<{ response: { results_count: number } }>('/v1/intel-enrich/', { query });
const code: string = await client.request('/v1/nothing/').then(
  () => 'none',
  (error: unknown) => (error instanceof NameglassError ? error.code : 'other'),
);
console.log(account.response.account.api_username, found.response.results_count, code);
`;

test('nameglass/client and @nameglass/client can be imported, with their types', {
  timeout: 900_000,
}, async (t) => {
  const tools = needsNpmTools(t, 'openapi');
  if (tools === undefined) return;
  const { url, user } = await describedServer({ after });
  const directory = temporaryDirectory(t);
  const [whole, own] = ['nameglass', '@nameglass/client'].map((name) =>
    join(directory, 'node_modules', name),
  ) as [string, string];
  for (const folder of [whole, own]) mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', packedPackage(), '--strip-components=1', '-C', whole]);
  cpSync(join(root, 'clients/typescript/package.json'), join(own, 'package.json'));
  for (const part of ['client.js', 'types'])
    cpSync(join(whole, 'dist', part), join(own, 'dist', part), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  const options = { target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', strict: true, types: [] };
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, outDir: 'out' } }),
  );
  for (const [file, name] of [
    ['whole', 'nameglass/client'],
    ['own', '@nameglass/client'],
  ] as const)
    writeFileSync(join(directory, `${file}.ts`), program(name, { url, key: user.key }));
  await run(process.execPath, [join(tools, 'node_modules/.bin/tsc'), '-p', directory]).catch(
    ({ stdout }: { stdout: string }) => assert.fail(stdout),
  );
  for (const file of ['whole', 'own']) {
    const { stdout } = await run(process.execPath, [join(directory, 'out', `${file}.js`)]);
    assert.equal(stdout, 'alice 1 not-found\n');
  }
});

test('the package of the client has the version of the server', () => {
  const versionOf = (file: string) =>
    (JSON.parse(readFileSync(join(root, file), 'utf8')) as { version: string }).version;
  assert.equal(versionOf('clients/typescript/package.json'), versionOf('package.json'));
  const python = readFileSync(join(root, 'clients/python/nameglass.py'), 'utf8');
  assert.ok(python.includes(`__version__ = "${versionOf('package.json')}"`));
});
