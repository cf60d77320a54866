/**
 * The part of the pipeline that looks outside: lists of known domains, sources of names, collectors, and pictures. All of them reach others through one guarded
 * dialer, and through nothing else.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Collector } from './collect/collectors/collector.ts';
import type { KnownLists } from './collect/known-lists/start-known-lists.ts';
import type { Collecting } from './collect/runner/start-collecting.ts';
import type { Screenshots } from './collect/screenshots/screenshots.ts';
import type { PageReader } from './collect/sources/certificate-logs/page-reader.ts';
import type { NameSource } from './collect/sources/source.ts';
import type { Sources } from './collect/sources/start-sources.ts';
import type { Settings } from './model/settings.ts';
import { createDialer, type Dialer } from './outgoing/guarded-dialer.ts';
import { hostResolver } from './outgoing/resolve-host.ts';
import type { PipelineNeeds } from './pipeline.ts';

export interface Collection {
  statistics(): { readonly fresh: number; readonly looked: number; readonly pictures: number };
  close(): Promise<void>;
}

export async function startCollection(needs: PipelineNeeds): Promise<Collection> {
  const { settings, logger } = needs;
  const { allow, caFile } = settings.collect;
  if (allow.length > 0) logger.warn({ allow }, 'collect.allow opens addresses that are not of the Internet');
  const ca = caFile === '' ? undefined : readFileSync(caFile, 'utf8');
  const outside = { dialer: dialerOf(settings, ca), ca };
  const lists = await startLists(needs, outside);
  const sources = await startNames(needs, outside);
  const collecting = await startLooking(needs, outside);
  const screenshots = await startPictures(needs, outside);
  return {
    statistics: () => {
      const { first = 0, changed = 0 } = screenshots?.statistics() ?? {};
      return {
        fresh: sources.statistics().fresh,
        looked: collecting?.statistics().domains ?? 0,
        pictures: first + changed,
      };
    },
    close: async () => {
      await Promise.all([lists.close(), sources.close(), collecting?.close(), screenshots?.close()]);
    },
  };
}

/** The way out: one dialer, and whom it believes. */
interface Outside {
  readonly dialer: Dialer;
  readonly ca: string | undefined;
}

function dialerOf(settings: Settings, ca: string | undefined): Dialer {
  const { allow, resolvers, httpPort, httpsPort } = settings.collect;
  return createDialer({
    settings: { outgoing: { allow } },
    allowedBy: 'collect.allow',
    resolve: hostResolver(resolvers),
    ...(ca === undefined ? {} : { ca }),
    ports: { http: httpPort, https: httpsPort },
  });
}

/** What others know of domains, as far as the settings name lists. Without any, what lists of before said is forgotten. */
async function startLists(needs: PipelineNeeds, { dialer }: Outside): Promise<KnownLists> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { startKnownLists } = await import('./collect/known-lists/start-known-lists.ts');
  const lists = startKnownLists({
    risks: stores.risks,
    dialer,
    directory: join(settings.data, 'known-lists'),
    clock,
    settings: settings.risk,
    onFailure: (error, list) => logger.error({ err: error, list }, 'known lists: failed'),
  });
  metrics.watch('nameglass_known_lists', 'Lists of known domains: readings, and what they name.', () => ({
    ...lists.statistics(),
  }));
  return lists;
}

/** Names from outside, as far as the settings name sources; and what is new of them told on. */
async function startNames(needs: PipelineNeeds, outside: Outside): Promise<Sources> {
  const { stores, logger, metrics, clock } = needs;
  const { startSources } = await import('./collect/sources/start-sources.ts');
  const { PageReader } = await import('./collect/sources/certificate-logs/page-reader.ts');
  const pages = new PageReader();
  const sources = startSources({
    ...stores,
    sources: await sourcesOf(needs, outside, pages),
    clock,
    onFailure: (error, source) => logger.error({ err: error, source }, 'sources: failed'),
  });
  metrics.watch('nameglass_sources', 'Names that sources brought, and what was new of them.', () => ({
    ...sources.statistics(),
  }));
  return {
    ...sources,
    close: async () => {
      await sources.close();
      await pages.close();
    },
  };
}

async function sourcesOf(
  { settings, stores, clock }: PipelineNeeds,
  { dialer, ca }: Outside,
  pages: PageReader,
): Promise<readonly NameSource[]> {
  const { certificateLogs, certstreams, zoneFiles, nameLists, passiveDns } = settings.sources;
  const { createCertificateLogSource } = await import(
    './collect/sources/certificate-logs/certificate-log.ts'
  );
  const { createCertstreamSource } = await import('./collect/sources/certstream.ts');
  const { createZoneFileSource } = await import('./collect/sources/zone-files/zone-file-source.ts');
  const { createNameListSource } = await import('./collect/sources/name-lists/name-list-source.ts');
  const { createPassiveDnsSource } = await import('./collect/sources/passive-dns.ts');
  const given = { dialer, pages, directory: join(settings.data, 'sources'), clock, settings };
  /** Whoever is gone from a zone is looked at, so that its record tells. */
  const onGone = async (domains: readonly string[]) => {
    const dueMs = clock.now();
    await stores.jobs.enqueue(domains.map((subject) => ({ kind: 'collect', subject, dueMs })));
  };
  return [
    ...certificateLogs.map((log) => createCertificateLogSource(log, given)),
    ...certstreams.map((stream) =>
      createCertstreamSource(stream, { ...given, ...(ca === undefined ? {} : { ca }) }),
    ),
    ...zoneFiles.map((file) => createZoneFileSource(file, { ...given, onGone })),
    ...nameLists.map((list) => createNameListSource(list, given)),
    ...(passiveDns ? [createPassiveDnsSource({ streams: stores.streams, clock })] : []),
  ];
}

async function startLooking(needs: PipelineNeeds, outside: Outside): Promise<Collecting | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  if (settings.collect.collectors.length === 0) return undefined;
  const { startCollecting } = await import('./collect/runner/start-collecting.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'collectors: failed');
  const collecting = startCollecting({
    ...stores,
    collectors: await collectorsOf(needs, outside, onFailure),
    clock,
    settings: settings.collect,
    onFailure,
  });
  metrics.watch('nameglass_collectors', 'Domains that were looked at, and what came of each look.', () => {
    const { domains, records, dropped, failures, jobs, looks } = collecting.statistics();
    const byCollector = [...looks].flatMap(([name, counts]) =>
      Object.entries(counts).map(([kind, count]) => [`${name}_${kind}`, count as number] as const),
    );
    return { domains, ...records, dropped, failures, ...jobs, ...Object.fromEntries(byCollector) };
  });
  return collecting;
}

async function collectorsOf(
  { settings, clock }: PipelineNeeds,
  { dialer }: Outside,
  onFailure: (error: unknown) => void,
): Promise<readonly Collector[]> {
  const { createDnsCollector } = await import('./collect/collectors/dns/dns-collector.ts');
  const { createRdapCollector } = await import('./collect/collectors/rdap/rdap-collector.ts');
  const { createWhoisCollector } = await import('./collect/collectors/whois/whois-collector.ts');
  const { createTlsCollector } = await import('./collect/collectors/tls/tls-collector.ts');
  const { createWebCollector } = await import('./collect/collectors/web/web-collector.ts');
  const { createIpCollector } = await import('./collect/collectors/ip/ip-collector.ts');
  const { PoliteTurns } = await import('./collect/runner/politeness.ts');
  const given = { dialer, politeness: new PoliteTurns(settings.collect), settings, clock };
  const all = [
    createDnsCollector(settings.collect),
    createRdapCollector(given),
    createWhoisCollector(given),
    createTlsCollector(given),
    createWebCollector(given),
    createIpCollector(settings.collect, onFailure),
  ];
  const wanted: readonly string[] = settings.collect.collectors;
  return all.filter(({ name }) => wanted.includes(name));
}

async function startPictures(needs: PipelineNeeds, { dialer }: Outside): Promise<Screenshots | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  if (!settings.screenshots.enabled) return undefined;
  const { startScreenshots } = await import('./collect/screenshots/screenshots.ts');
  const screenshots = startScreenshots({
    ...stores,
    dialer,
    clock,
    settings,
    onAbsent: (reason) => logger.warn(`screenshots: ${reason}`),
    onFailure: (error) => logger.error({ err: error }, 'screenshots: failed'),
  });
  metrics.watch('nameglass_screenshots', 'Pictures that were taken.', () => ({
    ...screenshots.statistics(),
  }));
  return screenshots;
}
