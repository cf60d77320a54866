/** Data in channels, and the calls that ask for it. */
import assert from 'node:assert/strict';
import { channelStream } from '../../src/model/stream-names.ts';
import type { Answer, CallOptions, TestServer } from '../harness/test-server.ts';

/** Appends one line for each text, as if it were the time that is told, and gives what was appended. */
export async function append(
  { streams, clock }: TestServer,
  channel: number,
  instant: string,
  texts: readonly string[],
): Promise<string> {
  const lines = texts
    .map((text) => `${JSON.stringify({ time: instant, message: { domain: text } })}\n`)
    .join('');
  clock.set(instant);
  const stream = channelStream(channel);
  assert.ok(await streams.append([{ stream, bytes: Buffer.from(lines) }], clock.now()));
  return lines;
}

export interface Span {
  readonly channel: number;
  readonly start_time: string;
  readonly end_time: string;
}

/** `fetch` and `link` with times of one day: `ask(server, 'chfetch', key, '12:00', '12:05')`. */
export const day = '2026-01-28';

export function spanOf(from: string, to: string, channel = 212): Span {
  return { channel, start_time: `${day} ${from}:00`, end_time: `${day} ${to}:00` };
}

export function ask(
  server: TestServer,
  operation: 'chdetails' | 'chfetch' | 'makeurl',
  apikey: string,
  members: object,
  headers: CallOptions['headers'] = {},
): Promise<Answer> {
  return server.call(`POST /batchd/v1/batch/${operation}`, { body: { apikey, ...members }, headers });
}

/** The path and query of a new link. */
export async function linkTo(server: TestServer, apikey: string, span: Span): Promise<string> {
  const { json } = await ask(server, 'makeurl', apikey, span);
  const { pathname, search } = new URL(json.url);
  return pathname + search;
}

export function assertNok(answer: Answer, status: number, type: string, name?: string): void {
  assert.deepEqual(
    [answer.status, answer.json['_status'], answer.json.status, answer.json.type],
    [status, 'NOK', status, type],
  );
  assert.equal(answer.json.invalid_parameters?.name, name);
}
