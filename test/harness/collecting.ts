/** Collecting over real stores, with collectors that say what the test wants. */
import type { TestContext } from 'node:test';
import type {
  Collector,
  CollectorName,
  Look,
  LookOutcome,
  RecordMember,
} from '../../src/collect/collectors/collector.ts';
import { type Collecting, startCollecting } from '../../src/collect/runner/start-collecting.ts';
import { readConfig } from '../../src/config.ts';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import type { Settings } from '../../src/model/settings.ts';
import { openDomainStore } from '../../src/store/embedded/domain-store.ts';
import { openJobStore } from '../../src/store/embedded/job-store.ts';
import { openNameStore } from '../../src/store/embedded/name-store.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { TestClock } from './test-clock.ts';

const { collect } = readConfig({ environment: {}, flags: {} }).settings;

const membersOf = {
  dns: ['ip', 'name_server', 'mx', 'spf_info', 'soa_email'],
  rdap: ['parsed_domain_rdap'],
  whois: ['parsed_whois'],
  tls: ['ssl_info', 'ssl_email'],
  web: ['website_title', 'website_response', 'redirect', 'redirect_domain', 'server_type'],
  ip: ['ip', 'popularity_rank'],
  screenshot: [],
} as const satisfies Record<CollectorName, readonly RecordMember[]>;

export function collectorOf(name: CollectorName, look: (look: Look) => Promise<LookOutcome>): Collector {
  return { name, members: membersOf[name], look };
}

export function finding(name: CollectorName, part: Partial<DomainRecord>): Collector {
  return collectorOf(name, async () => ({ outcome: 'found', part }));
}

export function openCollectStores(directory: string, clock = new TestClock()) {
  const domains = openDomainStore(directory, clock);
  const streams = openStreamStore(directory);
  const jobs = openJobStore(directory);
  const names = openNameStore(directory);
  const close = async () => {
    await names.close();
    await jobs.close();
    await streams.close();
    await domains.close();
  };
  return { domains, streams, jobs, names, clock, close };
}

export function collectWorld(t: TestContext, directory = temporaryDirectory(t)) {
  const stores = openCollectStores(directory);
  t.after(() => stores.close());
  const failures: unknown[] = [];
  const start = (
    collectors: readonly Collector[],
    settings: Partial<Settings['collect']> = {},
  ): Collecting => {
    const collecting = startCollecting({
      ...stores,
      collectors,
      settings: { ...collect, domainsPerSecond: 1000, ...settings },
      onFailure: (error) => failures.push(error),
    });
    t.after(() => collecting.close());
    return collecting;
  };
  const enqueue = (...subjects: readonly string[]) =>
    stores.jobs.enqueue(subjects.map((subject) => ({ kind: 'collect', subject, dueMs: stores.clock.now() })));
  /** Looks at these until each has come to something. */
  const round = async (
    subjects: readonly string[],
    collectors: readonly Collector[],
    settings: Partial<Settings['collect']> = {},
  ) => {
    await enqueue(...subjects);
    const collecting = start(collectors, { newDomains: false, ...settings });
    const settledJobs = ({ done, retried, failed }: ReturnType<Collecting['statistics']>['jobs']) =>
      done + retried + failed;
    while (settledJobs(collecting.statistics().jobs) < subjects.length) await shortly();
    await collecting.close();
    return collecting.statistics();
  };
  const record = async (domain: string) => (await stores.domains.findRecords([domain]))[0];
  return { ...stores, failures, start, enqueue, round, record };
}

export function shortly(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
