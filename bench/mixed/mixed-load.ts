/** Everything at once for some time: what was acknowledged meanwhile, and what the clients and the server felt of it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchContext } from '../harness/benchmark.ts';
import { quantile } from '../harness/interleave.ts';
import { cpuSecondsOf } from '../harness/process-tree.ts';
import { shownBytes, shownNumber } from '../harness/table.ts';
import { ApiClients } from './api-clients.ts';
import { importFiles } from './imports.ts';
import type { Acknowledged } from './losses.ts';
import type { MixedSite } from './mixed-site.ts';
import { ServerWatch } from './server-watch.ts';
import { killWorker } from './worker-killer.ts';

const observationsWanted = 20;
const killEveryMs = 3000;

/** The clients and nothing else. */
export async function observeAlone(
  clients: ApiClients,
  loadMs: number,
  { note }: BenchContext,
): Promise<readonly number[]> {
  await pause(loadMs / 20);
  clients.drainLatencies();
  const latencies: number[] = [];
  do {
    await pause(loadMs / 10);
    for (const latency of [...clients.drainLatencies().values()].flat()) latencies.push(latency);
  } while (latencies.length === 0);
  note(
    `clients alone: p50 ${shownNumber(quantile(latencies, 0.5))} ms, p99 ${shownNumber(quantile(latencies, 0.99))} ms`,
  );
  return latencies;
}

export interface MixedLoad {
  readonly latencies: readonly number[];
  readonly watch: ServerWatch;
  /** See `WatchedServer`. */
  readonly longestWorkMs: number;
  readonly searches: ApiClients;
  readonly acknowledged: Acknowledged;
  readonly sent: SenderReport;
  readonly kills: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

export async function runMixedLoad(
  site: MixedSite,
  clients: ApiClients,
  loadMs: number,
  context: BenchContext,
): Promise<MixedLoad> {
  const { directory, sized, options } = context;
  const { server, data, socket } = site;
  const watch = await ServerWatch.start(site, context);
  site.listDomains();
  const endMs = performance.now() + loadMs;
  const isOver = () => performance.now() >= endMs;
  const perSecond = sized({ tiny: 200, small: 5000, full: 5000 });
  const sender = startSender(socket, perSecond, context);
  const linesEach = sized({ tiny: 500, small: 20_000, full: 100_000 });
  const importing = importFiles({ directory, data, linesEach, isOver });
  const searches = new ApiClients(sized({ tiny: 1, small: 8, full: 8 }), {
    ...site,
    url: server.url,
    paths: site.searches,
  });
  context.after(() => searches.stop());
  const killing = options.killWorker
    ? killWorker({ data, everyMs: killEveryMs, isOver })
    : Promise.resolve(0);
  // A failure is thrown when it is awaited, after everything else has ended.
  killing.catch(() => undefined);
  const [cpuBefore, began] = [cpuSecondsOf(server.pid), performance.now()];
  const latencies: number[] = [];
  clients.drainLatencies();
  // On a machine that is busy otherwise, the first answer may take longer than all of the load.
  while (!isOver() || latencies.length === 0) {
    await pause(Math.min(loadMs / observationsWanted, Math.max(100, endMs - performance.now())));
    for (const latency of await observe(watch, { clients, searches, sender }, context))
      latencies.push(latency);
  }
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = cpuSecondsOf(server.pid) - cpuBefore;
  const longestWorkMs = await watch.longestWorkMs();
  await watch.stop();
  await clients.stop();
  await searches.stop();
  const { imported, failed } = await importing;
  if (failed > 0) throw new Error(`${failed} imports failed`);
  const sent = await sender.stop();
  const acknowledged = {
    dnstap: { seconds: sent.confirmed, each: perSecond },
    imports: { files: imported, each: linesEach },
  };
  const kills = await killing;
  return {
    latencies,
    watch,
    longestWorkMs,
    searches,
    acknowledged,
    sent,
    kills,
    cpuSeconds,
    seconds,
  };
}

interface Observed {
  readonly clients: ApiClients;
  readonly searches: ApiClients;
  readonly sender: Sender;
}

async function observe(
  watch: ServerWatch,
  { clients, searches, sender }: Observed,
  { note }: BenchContext,
): Promise<readonly number[]> {
  const { memoryBytes, longestPauseMs, barePauseMs, stealPercent, rrsetsWaiting } = await watch.observe();
  const byKind = [...clients.drainLatencies()];
  const latencies = byKind.flatMap(([, ofKind]) => ofKind);
  const p99s = byKind.map(([kind, ofKind]) => `${kind} ${shownNumber(quantile(ofKind, 0.99))}`);
  note(
    `${latencies.length} requests, p50 ${shownNumber(quantile(latencies, 0.5))} ms, p99 ${shownNumber(quantile(latencies, 0.99))} ms ` +
      `(${p99s.join(', ')}), longest pause ${shownNumber(longestPauseMs)} ms (bare ${shownNumber(barePauseMs)}), memory ${shownBytes(memoryBytes)}, ` +
      `steal ${stealPercent.toFixed(1)} %, dnstap ${sender.behind()} s behind, ${rrsetsWaiting} RRsets not published, ${clients.failures.length} requests and ${searches.failures.length} searches failed so far`,
  );
  return latencies;
}

export interface SenderReport {
  readonly confirmed: readonly number[];
  /** Connections that broke and were made again. */
  readonly broken: number;
  /** The most seconds that were due and not confirmed. */
  readonly mostBehind: number;
}

interface Sender {
  /** How many seconds were due and not confirmed, a second ago or less. */
  behind(): number;
  /** Resolves when everything that was sent is confirmed. */
  stop(): Promise<SenderReport>;
}

function startSender(socket: string, perSecond: number, { after }: BenchContext): Sender {
  const file = join(import.meta.dirname, 'dnstap-sender.ts');
  const child = spawn(process.execPath, [file, socket, String(perSecond)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  after(() => child.kill('SIGKILL'));
  let behind = 0;
  const reported = new Promise<SenderReport>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const printed = JSON.parse(line) as SenderReport | { readonly behind: number };
      if ('behind' in printed) behind = printed.behind;
      else resolve(printed);
    });
  });
  return {
    behind: () => behind,
    stop: () => {
      child.stdin.write('\n');
      return reported;
    },
  };
}
