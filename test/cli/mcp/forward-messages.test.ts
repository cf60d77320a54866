import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { forwardMessages } from '../../../src/cli/mcp/forward-messages.ts';
import { NameglassError } from '../../../src/client/nameglass-error.ts';

interface ForwardedRequest {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Forwards lines to a server that answers by a function; returns what was written and what was sent. */
async function forward(
  lines: readonly string[],
  answer: (sent: ForwardedRequest) => Response | Promise<Response>,
) {
  const sent: ForwardedRequest[] = [];
  const output = new PassThrough();
  const client = {
    request: async (_path: string, options: object = {}) => {
      sent.push(options as ForwardedRequest);
      return answer(options as ForwardedRequest);
    },
  };
  await forwardMessages(client, Readable.from(lines.map((line) => `${line}\n`)), output);
  output.end();
  const written = (await text(output)).split('\n').filter(Boolean);
  return { sent, written: written.map((line) => JSON.parse(line)) };
}

const json = (value: object) => Response.json(value);
const events = (...values: object[]) =>
  new Response(values.map((value) => `event: message\ndata: ${JSON.stringify(value)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

test('answers in JSON and in events are written one a line', async () => {
  const { written } = await forward(['{"id":1,"method":"a"}', '{"id":2,"method":"b"}'], ({ body }) =>
    String(body).includes('"a"')
      ? json({ id: 1, result: {} })
      : events({ method: 'note' }, { id: 2, result: {} }),
  );
  assert.deepEqual(new Set(written.map(({ id }) => id ?? 'note')), new Set([1, 2, 'note']));
});

test('the version that initialize agreed on is sent with what follows', async () => {
  const { sent } = await forward(
    ['{"id":1,"method":"initialize"}', '{"method":"notifications/initialized"}'],
    () => json({ id: 1, result: { protocolVersion: '2025-11-25' } }),
  );
  assert.deepEqual(
    sent.map(({ headers }) => headers['mcp-protocol-version']),
    [undefined, '2025-11-25'],
  );
});

test('what a message of 2026-07-28 says about itself is sent in headers too', async () => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const message = { id: 1, method: 'tools/call', params: { name: 'domain_dossier', _meta: meta } };
  const { sent } = await forward([JSON.stringify(message)], () => json({ id: 1, result: {} }));
  const { headers } = sent[0] as ForwardedRequest;
  assert.deepEqual(
    [headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']],
    ['2026-07-28', 'tools/call', 'domain_dossier'],
  );
});

test('a refusal of the server is an error of the message, and a notification has none', async () => {
  const { written } = await forward(['{"id":5,"method":"a"}', '{"method":"note"}'], () => {
    throw new NameglassError('The API key has expired.', { code: 'authentication', status: 401 });
  });
  assert.deepEqual(written, [
    { jsonrpc: '2.0', id: 5, error: { code: -32000, message: 'The API key has expired.' } },
  ]);
});

test('a line that is no JSON is answered with a parse error, and nothing is sent', async () => {
  const { sent, written } = await forward(['not json'], () => json({}));
  assert.deepEqual([sent.length, written[0].error.code], [0, -32700]);
});
