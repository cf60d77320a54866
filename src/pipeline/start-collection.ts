/**
 * Starts the stages that read from the Internet: reputation lists, sources of names, collectors and screenshots. All of them connect through one
 * guarded dialer (SSRF), and through nothing else.
 */
import { join } from 'node:path';
import { createCollectDialer, readCollectCa } from '../collect/collect-dialer.ts';
import type { Collector } from '../collect/collectors/collector.ts';
import type { PageReader } from '../collect/sources/certificate-logs/page-reader.ts';
import type { NameSource } from '../collect/sources/source.ts';
import type { ReserveSlot } from '../concurrency/host-throttle.ts';
import type { Dialer } from '../outgoing/guarded-dialer.ts';
import type { Collectors } from './collection/start-collectors.ts';
import { collectorParts } from './health/collector-parts.ts';
import type { StageNeeds } from './pipeline-needs.ts';
import type { Progress } from './progress.ts';
import type { Screenshots } from './screenshots/start-screenshots.ts';
import type { ReputationLists } from './start-reputation-lists.ts';
import type { Sources } from './start-sources.ts';

export interface Collection {
  progress(): Pick<Progress, 'discovered' | 'collected' | 'screenshots'>;
  close(): Promise<void>;
}

/** `givesWay`: whether other work needs the processors more than that of the collectors, which may wait. */
export async function startCollection(needs: StageNeeds, givesWay: () => boolean): Promise<Collection> {
  const { settings, logger } = needs;
  const { allow } = settings.collect;
  if (allow.length > 0) logger.warn({ allow }, 'collect.allow permits connections to non-public addresses');
  const ca = readCollectCa(settings.collect);
  const egress = { dialer: createCollectDialer(settings.collect, ca), ca };
  const lists = await startLists(needs, egress);
  const sources = await startNameSources(needs, egress);
  const collectors = await startProbing(needs, egress, givesWay);
  const screenshots = await startCapturing(needs, egress);
  return {
    progress: () => {
      const { first = 0, changed = 0 } = screenshots?.statistics() ?? {};
      return {
        discovered: sources.statistics().newDomains,
        collected: collectors?.statistics().domains ?? 0,
        screenshots: first + changed,
      };
    },
    close: async () => {
      await Promise.all([lists.close(), sources.close(), collectors?.close(), screenshots?.close()]);
    },
  };
}

/** How third-party hosts are reached: the dialer, and an extra certificate authority. */
interface Egress {
  readonly dialer: Dialer;
  readonly ca: string | undefined;
}

/** Runs without lists too: it removes the entries of lists that are no longer configured. */
async function startLists(needs: StageNeeds, { dialer }: Egress): Promise<ReputationLists> {
  const { settings, stores, riskScorer: zerolist, logger, metrics, clock } = needs;
  const { startReputationLists } = await import('./start-reputation-lists.ts');
  const lists = startReputationLists({
    ...stores,
    dialer,
    directory: join(settings.data, 'known-lists'),
    clock,
    settings: settings.risk,
    zerolist,
    health: needs.health,
    onFailure: (error, list) => logger.error({ err: error, list }, 'reading a reputation list failed'),
  });
  metrics.watch(
    'nameglass_reputation_lists',
    'Reputation lists: readings, and the domains they list.',
    () => ({
      ...lists.statistics(),
    }),
  );
  return lists;
}

/** The publisher of discovered domains runs without sources too: imports bring names as well. */
async function startNameSources(needs: StageNeeds, egress: Egress): Promise<Sources> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { startSources } = await import('./start-sources.ts');
  const { PageReader } = await import('../collect/sources/certificate-logs/page-reader.ts');
  const pages = new PageReader();
  const sources = startSources({
    ...stores,
    sources: await sourcesOf(needs, egress, pages),
    clock,
    namesDays: settings.sources.namesDays,
    health: needs.health,
    onFailure: (error, source) => logger.error({ err: error, source }, 'reading a source of names failed'),
  });
  metrics.watch('nameglass_sources', 'Names read from sources, and domains new among them.', () => ({
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
  { settings, stores, clock }: StageNeeds,
  { dialer, ca }: Egress,
  pages: PageReader,
): Promise<readonly NameSource[]> {
  const { certificateLogs, certstreams, zoneFiles, nameLists, passiveDns } = settings.sources;
  const { createCertificateLogSource } = await import(
    '../collect/sources/certificate-logs/certificate-log.ts'
  );
  const { createCertstreamSource } = await import('../collect/sources/certstream.ts');
  const { createZoneFileSource } = await import('../collect/sources/zone-files/zone-file-source.ts');
  const { createNameListSource } = await import('../collect/sources/name-lists/name-list-source.ts');
  const { createPassiveDnsSource } = await import('../collect/sources/passive-dns.ts');
  const given = { dialer, pages, directory: join(settings.data, 'sources'), clock, settings };
  /** A domain removed from its zone is collected again, so that its record says so. */
  const onRemoved = async (domains: readonly string[]) => {
    const dueMs = clock.now();
    await stores.jobs.enqueue(domains.map((subject) => ({ kind: 'collect', subject, dueMs })));
  };
  return [
    ...certificateLogs.map((log) => createCertificateLogSource(log, given)),
    ...certstreams.map((stream) =>
      createCertstreamSource(stream, { ...given, ...(ca === undefined ? {} : { ca }) }),
    ),
    ...zoneFiles.map((file) => createZoneFileSource(file, { ...given, onRemoved })),
    ...nameLists.map((list) => createNameListSource(list, given)),
    ...(passiveDns ? [createPassiveDnsSource({ streams: stores.streams, clock })] : []),
  ];
}

async function startProbing(
  needs: StageNeeds,
  egress: Egress,
  givesWay: () => boolean,
): Promise<Collectors | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  if (settings.collect.collectors.length === 0) return undefined;
  const { startCollectors } = await import('./collection/start-collectors.ts');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'collecting a domain failed');
  const probing = await collectorsOf(needs, egress, onFailure);
  const collectors = startCollectors({
    ...stores,
    collectors: probing,
    onProbe: collectorParts(probing, needs.health),
    givesWay,
    clock,
    settings: settings.collect,
    onFailure,
  });
  metrics.watch(
    'nameglass_collectors',
    'Domains collected, probes by collector and outcome, and collection jobs.',
    () => {
      const { domains, records, dropped, failures, jobs, probes } = collectors.statistics();
      const byCollector = [...probes].flatMap(([name, counts]) =>
        Object.entries(counts).map(([kind, count]) => [`${name}_${kind}`, count as number] as const),
      );
      return { domains, ...records, dropped, failures, ...jobs, ...Object.fromEntries(byCollector) };
    },
  );
  return collectors;
}

async function collectorsOf(
  { settings, stores, clock }: StageNeeds,
  { dialer }: Egress,
  onFailure: (error: unknown) => void,
): Promise<readonly Collector[]> {
  const { createDnsCollector } = await import('../collect/collectors/dns/dns-collector.ts');
  const { createRdapCollector } = await import('../collect/collectors/rdap/rdap-collector.ts');
  const { createWhoisCollector } = await import('../collect/collectors/whois/whois-collector.ts');
  const { createTlsCollector } = await import('../collect/collectors/tls/tls-collector.ts');
  const { createWebCollector } = await import('../collect/collectors/web/web-collector.ts');
  const { createIpCollector } = await import('../collect/collectors/ip/ip-collector.ts');
  const { HostThrottle } = await import('../concurrency/host-throttle.ts');
  const { serverRequestsMax: concurrency, serverPauseMilliseconds: pauseMs } = settings.collect;
  const { leases } = stores;
  const reserveSlot: ReserveSlot | undefined =
    leases.reserveSlot && (async (host, betweenMs) => (await leases.reserveSlot?.(host, betweenMs)) ?? 0);
  const throttle = new HostThrottle({ concurrency, pauseMs }, undefined, reserveSlot);
  const given = { dialer, throttle, settings, clock };
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

async function startCapturing(needs: StageNeeds, { dialer }: Egress): Promise<Screenshots | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  const described = { kind: 'collector', name: 'screenshots', unit: 'pictures' } as const;
  if (!settings.screenshots.enabled) {
    needs.health.part({ ...described, off: 'screenshots.enabled is false' });
    return undefined;
  }
  let off: string | undefined;
  const { startScreenshots } = await import('./screenshots/start-screenshots.ts');
  const screenshots = startScreenshots({
    ...stores,
    dialer,
    clock,
    settings,
    onUnavailable: (reason) => {
      off = reason;
      logger.warn(`screenshots: ${reason}`);
    },
    onFailure: (error) => {
      part?.fail(error);
      logger.error({ err: error }, 'taking a screenshot failed');
    },
  });
  const part = needs.health.part({ ...described, ...(off === undefined ? {} : { off }) });
  part.countBy(() => {
    const { first, same, changed } = screenshots.statistics();
    return first + same + changed;
  });
  metrics.watch('nameglass_screenshots', 'Screenshots by outcome, and whether a browser was found.', () => ({
    ...screenshots.statistics(),
  }));
  return screenshots;
}
