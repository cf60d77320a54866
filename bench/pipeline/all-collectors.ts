/** All collectors, on their way into a world: what `collection.ts` makes of the settings of a server, without the server. */
import { readFileSync } from 'node:fs';
import type { Collector } from '../../src/collect/collectors/collector.ts';
import { createDnsCollector } from '../../src/collect/collectors/dns/dns-collector.ts';
import { createIpCollector } from '../../src/collect/collectors/ip/ip-collector.ts';
import { createRdapCollector } from '../../src/collect/collectors/rdap/rdap-collector.ts';
import { createTlsCollector } from '../../src/collect/collectors/tls/tls-collector.ts';
import { createWebCollector } from '../../src/collect/collectors/web/web-collector.ts';
import { createWhoisCollector } from '../../src/collect/collectors/whois/whois-collector.ts';
import { HostThrottle } from '../../src/concurrency/host-throttle.ts';
import { readConfig } from '../../src/config.ts';
import type { Clock } from '../../src/model/clock.ts';
import type { Settings } from '../../src/model/settings/settings.ts';
import { createDialer } from '../../src/outgoing/guarded-dialer.ts';
import { hostResolver } from '../../src/outgoing/resolve-host.ts';

export function allCollectors(
  settings: Settings,
  clock: Clock,
  onFailure: (error: unknown) => void,
): readonly Collector[] {
  const { allow, resolvers, httpPort, httpsPort, caFile } = settings.collect;
  const dialer = createDialer({
    settings: { outgoing: { allow } },
    resolve: hostResolver(resolvers),
    ca: readFileSync(caFile, 'utf8'),
    ports: { http: httpPort, https: httpsPort },
  });
  const { serverRequestsMax: concurrency, serverPauseMilliseconds: pauseMs } = settings.collect;
  const throttle = new HostThrottle({ concurrency, pauseMs });
  const given = { dialer, throttle, settings, clock };
  return [
    createDnsCollector(settings.collect),
    createRdapCollector(given),
    createWhoisCollector(given),
    createTlsCollector(given),
    createWebCollector(given),
    createIpCollector(settings.collect, onFailure),
  ];
}

/** Settings for a simulated world, without per-host limits, with a given concurrency. */
export function hurriedSettings(world: Readonly<Record<string, string>>, domainsAtOnce: number): Settings {
  const ways = Object.entries(world).filter(([key]) => key.startsWith('collect.'));
  const hurry = {
    'collect.domainsAtOnce': domainsAtOnce,
    'collect.domainsPerSecond': 100_000,
    'collect.serverRequestsMax': 1000,
    'collect.serverPauseMilliseconds': 0,
  };
  const flags = Object.entries(hurry).map(
    ([key, value]) => [key, { flag: key, text: String(value) }] as const,
  );
  return readConfig({ world: Object.fromEntries(ways), environment: {}, flags: Object.fromEntries(flags) })
    .settings;
}
