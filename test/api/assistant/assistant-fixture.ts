/** Calls of the assistant endpoint: messages of the protocol, and what tools answer. */
import assert from 'node:assert/strict';
import type { Answer, CallOptions, TestServer } from '../../harness/server/test-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
type Json = any;

const accepted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Of 2026-07-28: each message says what the client is. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function send(
  server: TestServer,
  message: object | string,
  { headers, ...options }: CallOptions = {},
  path = '/v1/mcp',
): Promise<Answer> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return server.call(`POST ${path}`, { ...options, body, headers: { ...accepted, ...headers } });
}

/** The result of a request that must succeed. */
export async function ask(
  server: TestServer,
  key: string,
  method: string,
  params: object = {},
): Promise<Json> {
  const { name, uri } = params as { readonly name?: string; readonly uri?: string };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined && uri === undefined ? {} : { 'mcp-name': name ?? uri ?? '' }),
  };
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } };
  const answer = await send(server, message, { key, headers });
  assert.equal(answer.status, 200, answer.text);
  assert.ok('result' in answer.json, answer.text);
  return answer.json.result;
}

/** The data of a tool's answer. */
export async function useTool(server: TestServer, key: string, name: string, input: object): Promise<Json> {
  const result = await ask(server, key, 'tools/call', { name, arguments: input });
  assert.notEqual(result.isError, true, JSON.stringify(result.content));
  return result.structuredContent;
}

/** The sentence of a call that fails. */
export async function toolFault(
  server: TestServer,
  key: string,
  name: string,
  input: object,
): Promise<string> {
  const result = await ask(server, key, 'tools/call', { name, arguments: input });
  assert.equal(result.isError, true, JSON.stringify(result));
  return result.content[0].text;
}

export async function toolNames(server: TestServer, key: string): Promise<string[]> {
  const { tools } = await ask(server, key, 'tools/list');
  return tools.map(({ name }: { name: string }) => name);
}
