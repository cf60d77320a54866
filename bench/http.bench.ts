/**
 * Requests a second of the account endpoint with header authentication, against a bare Fastify route that answers the
 * same body. Both run in processes of their own and are loaded alternately, so that a slow moment hits both alike.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type Started, start } from './process-under-test.ts';

const rounds = 5;
const secondsPerRound = 4;
const connections = 32;
const floor = 0.6;

export async function bench(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  const started: Started[] = [];
  try {
    const ours = await start(['src/main.ts', 'serve', '--demo', '--port', '0', '--data', data]);
    started.push(ours);
    const headers = { 'x-api-key': ours.key };
    const body = await (await fetch(`${ours.url}/v1/account/`, { headers })).text();
    const bare = await start(['bench/peers/bare-server.ts', body]);
    started.push(bare);
    console.log(
      `${connections} connections, ${rounds} rounds of ${secondsPerRound} s each, body of ${body.length} bytes`,
    );
    await load(bare.url, {}, 1);
    await load(ours.url, headers, 1);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const peer = await load(bare.url, {}, secondsPerRound);
      const own = await load(ours.url, headers, secondsPerRound);
      ratios.push(own / peer);
      console.log(
        `round ${round}: bare ${Math.round(peer)}/s, account ${Math.round(own)}/s, ratio ${(own / peer).toFixed(2)}`,
      );
    }
    const median = ratios.sort((left, right) => left - right)[Math.floor(rounds / 2)] ?? 0;
    console.log(
      `median ratio ${median.toFixed(2)} (at least ${floor} wanted): ${median >= floor ? 'met' : 'MISSED'}`,
    );
    if (median < floor) process.exitCode = 1;
  } finally {
    for (const { child } of started) child.kill();
    rmSync(data, { recursive: true, force: true });
  }
}

async function load(url: string, headers: Record<string, string>, duration: number): Promise<number> {
  const result = await autocannon({ url: `${url}/v1/account/`, headers, duration, connections });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
  return result.requests.average;
}
