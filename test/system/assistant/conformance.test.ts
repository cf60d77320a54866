import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { needsNpmTools } from '../../harness/npm-tools.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { assistantServer, knownDomain } from './assistant-server.ts';

async function run(program: string, args: readonly string[], cwd: string) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`the conformance suite of the protocol passes for ${revision}, except for what its baseline names`, async (t) => {
    const tools = needsNpmTools(t, 'mcp');
    if (tools === undefined) return;
    const { frontUrl } = await assistantServer(t);
    const baseline = join(import.meta.dirname, `conformance-${revision}.yaml`);
    const { code, out, err } = await run(
      join(tools, 'node_modules/.bin/conformance'),
      ['server', '--url', frontUrl, '--requirements', revision, '--expected-failures', baseline],
      temporaryDirectory(t),
    );
    assert.equal(code, 0, `${out.slice(-3000)}\n${err.slice(-2000)}`);
  });
}

test('the inspector lists the tools without a schema that other clients could not read, and calls one', async (t) => {
  const tools = needsNpmTools(t, 'mcp');
  if (tools === undefined) return;
  const { url, user } = await assistantServer(t);
  const inspector = join(tools, 'node_modules/.bin/mcp-inspector');
  const common = ['--cli', url, '--transport', 'http', '--header', `X-Api-Key: ${user.key}`];
  const listed = await run(
    inspector,
    [...common, '--method', 'tools/list', '--strict'],
    temporaryDirectory(t),
  );
  assert.equal(listed.code, 0, listed.err);
  const names = (JSON.parse(listed.out) as { tools: { name: string }[] }).tools.map(({ name }) => name);
  assert.ok(names.includes('domain_dossier') && !names.includes('triage'), names.join());
  const call = [
    '--method',
    'tools/call',
    '--tool-name',
    'domain_dossier',
    '--tool-arg',
    `domain=${knownDomain}`,
  ];
  const called = await run(inspector, [...common, ...call], temporaryDirectory(t));
  assert.equal(called.code, 0, called.err);
  assert.match(called.out, /"known": true/);
});
