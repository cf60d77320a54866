/** The answers of a server, recorded, and a bare route that sends the same bytes: the least that an answer over HTTP can cost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from '../harness/benchmark.ts';
import { type Serving, startServing } from './serving-process.ts';

export interface Answers {
  readonly contentType: string;
  /** By path and query. */
  readonly bodies: Readonly<Record<string, string>>;
  readonly bytes: number;
}

/** Asks for each path once; everything but 200 is an error. */
export async function recordAnswers(
  { url }: Serving,
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<Answers> {
  const bodies: Record<string, string> = {};
  let [contentType, bytes] = ['', 0];
  for (const path of paths) {
    const answer = await fetch(url + path, { headers });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`);
    contentType = answer.headers.get('content-type') ?? '';
    bodies[path] = body;
    bytes += Buffer.byteLength(body);
  }
  return { contentType, bodies, bytes };
}

/** `values` parses each body once and has Fastify serialize it for every request, as a plain route would; `bytes` sends what was recorded. */
export function startBare(
  answers: Answers,
  kind: 'values' | 'bytes',
  { directory, after }: Pick<BenchContext, 'directory' | 'after'>,
  options: readonly '--metrics'[] = [],
): Promise<Serving> {
  const file = join(directory, `answers-${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(file, JSON.stringify({ ...answers, kind }));
  return startServing(['bench/peers/bare-server.ts', ...options, file], { after });
}

/** A route that streams a file. */
export function startBareFile(file: string, { after }: Pick<BenchContext, 'after'>): Promise<Serving> {
  return startServing(['bench/peers/bare-server.ts', '--stream', file], { after });
}
