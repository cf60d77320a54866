/** A server with data to ask for, and a simulated Internet whose domains it reads from a list and collects. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeLines } from '../data/pdns-lines.ts';
import { recordOf, writeRecords } from '../data/record-lines.ts';
import type { BenchContext } from '../harness/benchmark.ts';
import { cpuSecondsOf } from '../harness/process-tree.ts';
import { queriedNames } from '../pdns/queried-names.ts';
import { startListedWorld } from '../pipeline/listed-world.ts';
import { newCaller } from '../serving/accounts.ts';
import { runNameglass } from '../serving/run-command.ts';
import type { Serving } from '../serving/serving-process.ts';
import { startWatchedServer, type WatchedServer } from '../serving/watched-server.ts';

export interface MixedSite {
  readonly server: WatchedServer;
  readonly data: string;
  readonly socket: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What clients ask for. */
  readonly paths: readonly string[];
  readonly searches: readonly string[];
  /** Domains that the server reads from a list and probes, once they are listed. */
  readonly domains: readonly string[];
  readonly listDomains: () => void;
}

/** Of a second. */
const idleCpuSeconds = 0.1;
const idleWithinSeconds = 300;
const searches = ['paypal', '(login|secure).*bank', 'qzx[0-9]+\\.', '[a-z]{5}[0-9]{3}\\.'];

export async function startMixedSite(context: BenchContext): Promise<MixedSite> {
  const { directory, sized } = context;
  const data = join(directory, 'data');
  const records = sized({ tiny: 100, small: 2000, full: 20_000 });
  const [recordLines, rrsetLines] = [join(directory, 'records'), join(directory, 'rrsets')];
  await writeRecords(recordLines, records);
  await writeLines(rrsetLines, sized({ tiny: 2000, small: 50_000, full: 500_000 }));
  await runNameglass('import', 'records', recordLines, '--data', data);
  await runNameglass('import', 'rrsets', rrsetLines, '--format', 'cof', '--history', '--data', data);
  const { names } = await queriedNames(data);
  const headers = await newCaller(data);
  const world = await startListedWorld(
    join(directory, 'world'),
    sized({ tiny: 10, small: 200, full: 2000 }),
    context,
  );
  // Empty until the load begins: domains are probed as soon as they are listed.
  const lists = join(directory, 'lists');
  mkdirSync(lists);
  const socket = join(directory, 'dnstap.sock');
  const settings = {
    ...world.settings,
    'dnstap.socket': socket,
    'sources.nameLists': JSON.stringify([{ name: 'list', location: lists }]),
    'sources.pollSeconds': '1',
    'collect.serverPauseMilliseconds': '0',
    'limits.feed.recordsMax': '100',
  };
  const server = await startWatchedServer({ data, settings }, context);
  context.note('waiting until the worker has scored what was imported');
  await untilIdle(server);
  const domainAt = (number: number) => recordOf((number * 7919) % records, records).domain;
  const paths = names
    .slice(0, 200)
    .flatMap((name, at) => [
      `/pdns/v2/lookup/rrset/name/${name}`,
      `/pdns/v2/lookup/rrset/name/${name}?humantime=f`,
      `/v1/intel-enrich/?domain=${domainAt(at)}`,
      `/v1/intel-investigate/?ip=${recordOf(at % records, records).ip[0]?.address}`,
      '/v1/account/',
    ]);
  return {
    server,
    data,
    socket,
    headers,
    paths,
    searches: searches.map((pattern) => `/pdns/v2/regex/rrnames/${encodeURIComponent(pattern)}?limit=1000`),
    domains: world.domains,
    listDomains: () => writeFileSync(join(lists, 'domains.txt'), `${world.domains.join('\n')}\n`),
  };
}

async function untilIdle({ pid }: Serving): Promise<void> {
  let [before, idleSeconds] = [cpuSecondsOf(pid), 0];
  for (let seconds = 0; idleSeconds < 3; seconds += 1) {
    if (seconds === idleWithinSeconds) throw new Error('the server has not become idle');
    await pause(1000);
    const now = cpuSecondsOf(pid);
    idleSeconds = now - before < idleCpuSeconds ? idleSeconds + 1 : 0;
    before = now;
  }
}
