/** The examples of the client libraries' documents, run as they are pasted, with the address and keys of a running server. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describedServer } from '../../api/openapi/described-server.ts';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const client = pathToFileURL(join(root, 'src/client/nameglass-client.ts')).href;

const world = (async () => {
  const described = await describedServer({ after });
  // Signatures are made with the time of day.
  described.server.clock.set(new Date().toISOString());
  return described;
})();

/** The blocks of a language in a document, with what a reader would fill in. */
async function examplesIn(document: string, language: string): Promise<readonly string[]> {
  const { url, user } = await world;
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))];
  assert.ok(blocks.length > 0, `${document} has no example in ${language}`);
  return blocks.map(([, code = '']) =>
    code
      .replaceAll('http://127.0.0.1:8080', url)
      .replaceAll('PASTE_YOUR_BATCH_KEY', user.batchKey)
      .replaceAll('PASTE_YOUR_USERNAME', user.username)
      .replaceAll('PASTE_YOUR_KEY', user.key)
      .replaceAll(/'(?:nameglass|@nameglass)\/client'/g, `'${client}'`),
  );
}

/** Each as a program of its own; what they print together. */
async function runAll(
  t: TestContext,
  examples: readonly string[],
  program: readonly string[],
  extension: string,
) {
  const directory = temporaryDirectory(t);
  const [command = '', ...args] = program;
  let printed = '';
  for (const [at, code] of examples.entries()) {
    const file = join(directory, `example-${at}.${extension}`);
    writeFileSync(file, code);
    const env = { ...process.env, PYTHONPATH: join(root, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(command, [...args, file], { env }).catch((error: { stderr: string }) =>
      assert.fail(`${code}\n${error.stderr}`),
    );
    printed += stdout;
  }
  return printed;
}

test('the TypeScript examples of docs/api/clients.md run', async (t) => {
  const printed = await runAll(t, await examplesIn('docs/api/clients.md', 'ts'), [process.execPath], 'mts');
  for (const expected of [
    'alice',
    'www.example.com. 192.0.2.1 192.0.2.2',
    'acme-login.example',
    'invalid 422',
  ])
    assert.ok(printed.includes(expected), `${expected} is missing in:\n${printed}`);
});

test('the examples of the README of the TypeScript package run', async (t) => {
  const printed = await runAll(
    t,
    await examplesIn('clients/typescript/README.md', 'ts'),
    [process.execPath],
    'mts',
  );
  for (const expected of ['acme-mail.example', "rrname: 'www.example.com.'"])
    assert.ok(printed.includes(expected), `${expected} is missing in:\n${printed}`);
});

test('the Python examples of docs/api/clients.md run', { timeout: 900_000 }, async (t) => {
  if (!needsPackage(t, 'python3', 'python3')) return;
  const python = [commandPath('python3') as string, '-W', 'error'];
  const printed = await runAll(t, await examplesIn('docs/api/clients.md', 'python'), python, 'py');
  for (const expected of [
    'alice',
    'www.example.com. 192.0.2.1 192.0.2.2',
    'acme-login.example',
    'invalid 400',
  ])
    assert.ok(printed.includes(expected), `${expected} is missing in:\n${printed}`);
});
