/** Test data in channels, and the calls that fetch it. */
import assert from 'node:assert/strict';
import { channelStream } from '../../../src/model/stream-names.ts';
import type { Answer, TestServer } from '../../harness/server/test-server.ts';

/** Appends one line per text with the clock set to the given time, and returns what was appended. */
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

export const day = '2026-01-28';

/** A span of times on one day: `spanOf('12:00', '12:05')`. */
export function spanOf(from: string, to: string, channel = 212): Span {
  return { channel, start_time: `${day} ${from}:00`, end_time: `${day} ${to}:00` };
}

export function callBatch(
  server: TestServer,
  operation: 'chdetails' | 'chfetch' | 'makeurl',
  apikey: string,
  members: object,
): Promise<Answer> {
  return server.call(`POST /batchd/v1/batch/${operation}`, { body: { apikey, ...members } });
}

/** The path and query of a new link. */
export async function linkTo(server: TestServer, apikey: string, span: Span): Promise<string> {
  const { json } = await callBatch(server, 'makeurl', apikey, span);
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
