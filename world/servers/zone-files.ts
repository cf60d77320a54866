/**
 * Publishes the zones of the top-level domains as master files, compressed, as registries do: at the start, every hour of the world's time,
 * and when asked. Who reads a file while it is replaced reads the old one.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { rdataText } from '../../src/model/dns/rdata-text.ts';
import { typeOf } from '../../src/model/dns/rr-type.ts';
import type { WorldClock } from '../clock.ts';
import { hourMs, isHeld } from '../story/life.ts';
import { publishedZones, topLevelOf } from '../story/top-level-domains.ts';
import type { WorldDomain } from '../world-domain.ts';
import { topLevelHosts, topLevelSoa, type WorldNamesNeeds } from './dns/world-names.ts';
import { serviceAddress, type WorldServer, type WorldServerNeeds } from './world-server.ts';

export interface ZoneFilesNeeds extends WorldServerNeeds {
  readonly clock: WorldClock;
  readonly hosts: WorldNamesNeeds['hosts'];
}

export interface ZoneFiles extends WorldServer {
  /** All zones as they are now. */
  publish(): Promise<void>;
  /** Resolves when what was begun is done. */
  settled(): Promise<void>;
}

/** So many names are made into lines at once. */
const namesPerPiece = 200;

export async function startZoneFiles(needs: ZoneFilesNeeds): Promise<ZoneFiles> {
  const { view, clock } = needs;
  const directory = join(needs.directory, 'zones');
  await mkdir(directory, { recursive: true });
  const pathOf = (zone: string) => join(directory, `${zone}.zone.gz`);
  let writing: Promise<void> = Promise.resolve();
  let isWaiting = false;

  const publishAll = async () => {
    isWaiting = false;
    const byTopLevel = Map.groupBy(view.domains(), ({ name }) => topLevelOf(name));
    for (const zone of view.topLevelDomains) {
      const pieces = zonePieces(zone, byTopLevel.get(zone) ?? [], view.now(), needs.hosts);
      await pipeline(Readable.from(pieces), createGzip(), createWriteStream(`${pathOf(zone)}.new`));
      await rename(`${pathOf(zone)}.new`, pathOf(zone));
    }
  };
  // Requests that arrive before a queued build begins share it.
  const publish = () => {
    if (!isWaiting) writing = writing.then(publishAll);
    isWaiting = true;
    return writing;
  };
  const everyHour = () => {
    void publish();
    clock.schedule(clock.now() + hourMs, everyHour);
  };
  await publish();
  clock.schedule(clock.now() + hourMs, everyHour);
  const sources = publishedZones.map((zone) => ({
    name: `zone-${zone}`,
    zone,
    location: pathOf(zone),
    everyMinutes: 1,
  }));
  return {
    hosts: {},
    settings: { 'sources.zoneFiles': JSON.stringify(sources) },
    requests: () => ({}),
    publish,
    settled: () => writing,
    close: () => writing,
  };
}

function* zonePieces(
  zone: string,
  domains: readonly WorldDomain[],
  nowMs: number,
  hosts: ZoneFilesNeeds['hosts'],
): Iterable<string> {
  const soa = topLevelSoa(zone, nowMs);
  yield `$ORIGIN ${zone}.\n$TTL 86400\n@ IN SOA ${soa ? rdataText(typeOf('SOA'), soa) : ''}\n`;
  yield topLevelHosts(zone)
    .map((host) => `@ IN NS ${host}.\n${host}. IN A ${serviceAddress}\n`)
    .join('');
  const sorted = domains
    .filter((domain) => !isHeld(domain))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  for (let at = 0; at < sorted.length; at += namesPerPiece) {
    yield sorted
      .slice(at, at + namesPerPiece)
      .map(delegation)
      .join('');
  }
  for (const [name, { four, six }] of hosts) {
    if (topLevelOf(name) !== zone) continue;
    yield `${name}. IN A ${four}\n${six === undefined ? '' : `${name}. IN AAAA ${six}\n`}`;
  }
}

function delegation({ name, nameServers }: WorldDomain): string {
  return nameServers.map((host) => `${name}. IN NS ${host}.\n`).join('');
}
