import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { needsNpmTools } from '../../harness/npm-tools.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { program } from '../../harness/server/program.ts';
import { assistantServer, knownDomain } from './assistant-server.ts';

const { server, user, url } = await assistantServer({ after });
const serverUrl = new URL('/', url).href;
const local = ['mcp', '--data', server.directory, '--username', user.username];
const key = { NAMEGLASS_API_KEY: user.key };

// biome-ignore lint/suspicious/noExplicitAny: the client of the protocol, installed elsewhere
type Any = any;

async function clientOf(tools: string): Promise<{ Client: Any; StdioClientTransport: Any }> {
  const directory = join(tools, 'node_modules/@modelcontextprotocol/client/dist');
  const { Client } = await import(join(directory, 'index.mjs'));
  const { StdioClientTransport } = await import(join(directory, 'stdio.mjs'));
  return { Client, StdioClientTransport };
}

const ways = {
  'on the stores beside a running server': { args: local, env: {} },
  'through a server': { args: ['mcp', '--server', serverUrl], env: key },
};
const revisions = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } };

for (const [way, { args, env }] of Object.entries(ways)) {
  for (const [revision, mode] of Object.entries(revisions)) {
    test(`nameglass mcp ${way} serves the client of the protocol's authors, by ${revision}`, async (t) => {
      const tools = needsNpmTools(t, 'mcp');
      if (tools === undefined) return;
      const { Client, StdioClientTransport } = await clientOf(tools);
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const command = {
        command: process.execPath,
        args: [program, ...args],
        env: { ...process.env, ...env },
        stderr: 'ignore',
      };
      await client.connect(new StdioClientTransport(command));
      t.after(() => client.close());
      const { tools: listed } = await client.listTools();
      assert.ok(listed.some(({ name }: { name: string }) => name === 'domain_dossier'));
      const called = await client.callTool({ name: 'domain_dossier', arguments: { domain: knownDomain } });
      assert.equal(called.structuredContent.known, true);
      const read = await client.readResource({ uri: 'nameglass://docs/risk' });
      assert.match(read.contents[0].text, /^# Risk/);
    });
  }
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const call = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'domain_dossier', arguments: { domain: knownDomain } },
});
const input = [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, call(2), call(3)]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join('');

for (const [way, { args, env }] of Object.entries(ways)) {
  test(`nameglass mcp ${way} answers everything after its input has ended, writes nothing else, and ends with 0`, async () => {
    const { code, out, err } = await nameglass(args, { input, env });
    assert.equal(code, 0, err);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result?: object });
    assert.deepEqual(new Set(lines.map(({ id }) => id)), new Set([1, 2, 3]));
    assert.ok(
      lines.every(({ result }) => result !== undefined),
      out,
    );
  });
}

test('nameglass mcp with an unknown user says so on standard error alone', async () => {
  const { code, out, err } = await nameglass(['mcp', '--data', server.directory, '--username', 'nobody']);
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /there is no user nobody/);
});

test('nameglass mcp with a wrong key answers each message with the refusal of the server', async () => {
  const wrong = { NAMEGLASS_API_KEY: 'ngk_wrong' };
  const { out } = await nameglass(['mcp', '--server', serverUrl], { input, env: wrong });
  const [first] = out.split('\n').map((line) => JSON.parse(line || 'null'));
  assert.match(first.error.message, /do not match an active account/);
});
