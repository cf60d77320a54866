/** A server with passive DNS that is costly to search, a channel that is larger than what the system buffers, and the keys to attack it. */
import { join } from 'node:path';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { appendHostileLines, appendProbedLine } from '../data/hostile-lines.ts';
import { writeLines } from '../data/pdns-lines.ts';
import type { BenchContext } from '../harness/benchmark.ts';
import { createUsers } from '../serving/accounts.ts';
import { runNameglass } from '../serving/run-command.ts';
import { type Serving, startServer } from '../serving/serving-process.ts';
import { memoryReporting } from './server-memory.ts';

const channelBytes = 32 << 20;
const readers = 16;

export interface Keys {
  readonly probe: string;
  readonly searcher: string;
  readonly readers: readonly string[];
  /** The request of a channel with more data than the system buffers. */
  readonly download: object;
}

export interface HostileServer {
  readonly server: Serving;
  readonly keys: Keys;
  /** Where the server writes its memory. */
  readonly report: string;
}

/** One process, which alone answers requests: what a client can do to it is the question. */
export async function startHostileServer(context: BenchContext): Promise<HostileServer> {
  const { directory, sized } = context;
  const data = join(directory, 'data');
  const lines = join(directory, 'lines.ndjson');
  await writeLines(lines, sized({ tiny: 500, small: 20_000, full: 100_000 }));
  appendHostileLines(lines, sized({ tiny: 50, small: 1000, full: 4000 }));
  appendProbedLine(lines);
  await runNameglass('import', 'rrsets', lines, '--format', 'cof', '--history', '--data', data);
  const keys = await createKeys(data);
  const report = join(directory, 'memory');
  const server = await startServer(
    {
      data,
      role: 'api',
      // The maximum of connections for each key is what protects the server here.
      settings: { 'pdns.connectionsPerKeyMax': '32' },
      nodeOptions: memoryReporting,
      environment: { MEMORY_REPORT: report },
    },
    context,
  );
  return { server, keys, report };
}

async function createKeys(data: string): Promise<Keys> {
  const minuteMs = Math.floor(Date.now() / 60_000) * 60_000;
  const line = Buffer.from(`{"message":{"domain":"example.com.","pad":"${'x'.repeat(200)}"}}\n`);
  const bytes = Buffer.alloc(line.length * Math.floor(channelBytes / line.length), line);
  const streams = openStreamStore(data);
  await streams.append([{ stream: 'ch204', bytes }], minuteMs);
  await streams.close();
  const names = [
    'probe',
    'searcher',
    'downloader',
    ...Array.from({ length: readers }, (_, at) => `reader${at}`),
  ];
  const [probe, searcher, downloader, ...rest] = await createUsers(data, names);
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  const range = { start_time: time(minuteMs), end_time: time(minuteMs + 60_000) };
  return {
    probe: probe?.apiKey ?? '',
    searcher: searcher?.apiKey ?? '',
    readers: rest.map(({ apiKey }) => apiKey),
    download: { apikey: downloader?.batchKey ?? '', channel: 204, ...range },
  };
}
