/**
 * Answers requests that need no data, so that what the library and our schemas do once is done before anybody waits for it. The caller is nobody: it
 * sees every tool, and the only call lacks its input.
 */
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Caller } from '../../model/account/account.ts';
import { productIds } from '../../model/product-catalogue.ts';
import { unlimitedPdns } from '../../product/account/operate.ts';
import type { Connected } from './protocol-server.ts';

const caller: Caller = {
  account: { id: '', name: '', active: true, products: productIds.map((product) => ({ product })) },
  user: {
    id: '',
    username: '',
    permissions: ['read', 'triage', 'escalate', 'manage'],
    apiOwner: false,
    createdMs: 0,
    hasBatchKey: false,
    channels: [],
    pdns: unlimitedPdns,
  },
};

const client = { name: 'nameglass', version: '0' };
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client } as object,
};
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': client,
  'io.modelcontextprotocol/clientCapabilities': {},
};
interface Message {
  readonly method: string;
  readonly params: { readonly name?: string };
}

const requests: readonly Message[] = [
  { method: 'tools/list', params: {} },
  { method: 'prompts/list', params: {} },
  { method: 'tools/call', params: { name: 'domain_dossier' } },
];

export async function warmUp({ fetch: serve }: McpHttpHandler): Promise<void> {
  for (const request of [initialize, ...requests]) await send(serve, request, '2025-11-25');
  for (const { method, params } of [{ method: 'server/discover', params: {} }, ...requests])
    await send(serve, { method, params: { ...params, _meta: meta } as Message['params'] }, '2026-07-28');
}

async function send(serve: McpHttpHandler['fetch'], message: Message, version: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(message.params.name === undefined ? {} : { 'mcp-name': message.params.name }),
  };
  const connected: Connected = { caller, client: { ip: '' }, agent: '' };
  const authInfo = { token: '', clientId: '', scopes: [], extra: { ...connected } };
  const answer = await serve(new Request('http://localhost/v1/mcp', { method: 'POST', headers }), {
    authInfo,
    parsedBody: { jsonrpc: '2.0', id: 1, ...message },
  });
  await answer.text();
}
