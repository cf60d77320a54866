/**
 * A web-risk service for tests: takes submissions as `detect.webRiskUrl` gets them, each idempotency key once. For people too:
 * `node test/harness/web-risk-receiver.ts 9090` prints what it is sent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { openReceiver, type Receiver } from './receiver.ts';

export interface WebRiskReceiver extends Receiver {
  /** URIs by the idempotency key that they came with. */
  readonly submitted: ReadonlyMap<string, string>;
  /** The next requests are answered so, one after another; then they are taken again. */
  refuse(...answers: readonly Refusal[]): void;
}

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openWebRiskReceiver(t: TestContext, token: string): Promise<WebRiskReceiver> {
  const submitted = new Map<string, string>();
  const refusals: Refusal[] = [];
  const receiver = await openReceiver(t, {
    answer: ({ headers, body }, response) => {
      const refusal = refusals.shift();
      if (refusal) response.writeHead(refusal.status, refusal.headers).end();
      else take({ headers, body }, token, submitted, response);
    },
  });
  return { ...receiver, submitted, refuse: (...answers) => void refusals.push(...answers) };
}

function take(
  { headers, body }: { headers: IncomingMessage['headers']; body: string },
  token: string,
  submitted: Map<string, string>,
  response: ServerResponse,
): void {
  if (headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
  const { submission } = JSON.parse(body) as { submission: { uri: string } };
  submitted.set(String(headers['idempotency-key']), new URL(submission.uri).href);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"operations/1"}');
}

if (import.meta.main) {
  const port = Number(process.argv[2] ?? 9090);
  createServer((request, response) => {
    void text(request).then((body) => {
      console.log(request.method, request.url, request.headers['idempotency-key'], body);
      response.end('{}');
    });
  }).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/ takes submissions`));
}
