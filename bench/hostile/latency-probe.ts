/**
 * Asks for the health of a server, each time over a new connection, and for a lookup over one that stays open, for some seconds. Prints
 * all latencies in milliseconds as JSON: the time that passed, and the time that the main thread of the server worked meanwhile, which
 * does not depend on what else the machine does. A process of its own, so that the load of the benchmark does not delay it.
 * Arguments: the address of the server, a key, the path of the lookup, the seconds, and the process id of the server.
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

const [url = '', key = '', path = '', seconds = '', pid = ''] = process.argv.slice(2);
const pauseMs = 10;
const kept = new Agent({ keepAlive: true, maxSockets: 1 });

/** Time on a processor so far; where the system does not report it, the time of day stands for it. */
function workedMs(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

interface Latency {
  readonly passedMs: number;
  readonly workedMs: number;
}

async function ask(address: string, agent: Agent | false): Promise<Latency> {
  const [began, worked] = [performance.now(), workedMs()];
  await new Promise<void>((resolve, reject) => {
    const sent = get(address, { agent, headers: { 'x-api-key': key } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${address} answered ${response.statusCode}`));
      response.resume().once('end', resolve);
    });
    sent.once('error', reject);
  });
  return { passedMs: performance.now() - began, workedMs: workedMs() - worked };
}

async function repeat(address: string, agent: Agent | false): Promise<readonly Latency[]> {
  const latencies: Latency[] = [];
  const untilMs = performance.now() + Number(seconds) * 1000;
  while (performance.now() < untilMs) {
    latencies.push(await ask(address, agent));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return latencies;
}

const [health, lookup] = await Promise.all([repeat(`${url}/healthz`, false), repeat(url + path, kept)]);
kept.destroy();
console.log(JSON.stringify({ health, lookup }));
