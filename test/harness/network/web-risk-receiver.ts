/**
 * A web-risk service for tests that accepts submissions to `detect.webRiskUrl`, one per idempotency key. To try it by
 * hand, `node test/harness/network/web-risk-receiver.ts 9090` prints what it receives.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { openReceiver, type Receiver } from './http-receiver.ts';

export interface WebRiskReceiver extends Receiver {
  /** URIs by idempotency key. */
  readonly submitted: ReadonlyMap<string, string>;
  /** Answers the next requests with these errors, in order, before accepting again. */
  refuse(...answers: readonly ErrorResponse[]): void;
}

interface ErrorResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openWebRiskReceiver(t: TestContext, token: string): Promise<WebRiskReceiver> {
  const submitted = new Map<string, string>();
  const errors: ErrorResponse[] = [];
  const receiver = await openReceiver(t, {
    answer: ({ headers, body }, response) => {
      const error = errors.shift();
      if (error) response.writeHead(error.status, error.headers).end();
      else acceptSubmission({ headers, body }, token, submitted, response);
    },
  });
  return { ...receiver, submitted, refuse: (...answers) => void errors.push(...answers) };
}

function acceptSubmission(
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
  }).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/ accepts submissions`));
}
