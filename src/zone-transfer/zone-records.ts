/** The records of a zone, and of the difference between two versions of it, in the order in which transfers send them. */
import { isWritable } from '../model/detect/blocklist/format.ts';
import { policyOf, policySoa } from '../model/detect/blocklist/rpz.ts';
import type { ListedName } from '../model/detect/blocklist/selection.ts';
import { labelsBelow, type WireRecord } from '../model/dns/message-writer.ts';
import { parseName } from '../model/dns/name.ts';
import type { WireName } from '../model/dns/rrset.ts';
import type { BlocklistStore, SelectionKey } from '../store/detect/blocklist-store.ts';

export interface ZoneVersion {
  readonly key: SelectionKey;
  readonly zone: WireName;
  readonly serial: number;
  readonly ttlSeconds: number;
}

export type NameReader = Pick<BlocklistStore, 'listNames' | 'listDifference'>;

/** A version that was no longer kept when the rest of it was read: the client has to begin again. */
export class VersionGone extends Error {}

const types = { ns: 2, cname: 5, soa: 6 };
const atZone = new Uint8Array();
/** A few milliseconds of work. */
const pageNames = 200;

export function soaRecord({ serial, ttlSeconds }: Pick<ZoneVersion, 'serial' | 'ttlSeconds'>): WireRecord {
  const { primary, contact, numbers } = policySoa({ serial, ttlSeconds });
  const values = Buffer.alloc(4 * numbers.length);
  for (const [index, value] of numbers.entries()) values.writeUInt32BE(value, 4 * index);
  const rdata = Buffer.concat([wire(primary), wire(contact), values]);
  return { labels: atZone, type: types.soa, ttl: ttlSeconds, rdata };
}

/** AXFR (RFC 5936): the whole zone between two copies of its SOA. */
export async function* scanZone(
  version: ZoneVersion,
  store: NameReader,
): AsyncGenerator<readonly WireRecord[]> {
  const soa = soaRecord(version);
  const { primary } = policySoa(version);
  yield [soa, { labels: atZone, type: types.ns, ttl: version.ttlSeconds, rdata: wire(primary) }];
  yield* scanNames(version, (page) => store.listNames(version.key, version.serial, page));
  yield [soa];
}

/** IXFR (RFC 1995): one difference from the client's version to this one, whatever number of versions are between them. */
export async function* scanDifference(
  version: ZoneVersion,
  fromSerial: number,
  store: NameReader,
): AsyncGenerator<readonly WireRecord[]> {
  const [soa, oldSoa] = [soaRecord(version), soaRecord({ ...version, serial: fromSerial })];
  const names = (of: number, notIn: number) =>
    scanNames(version, (page) => store.listDifference(version.key, { in: of, notIn }, page));
  yield [soa, oldSoa];
  yield* names(fromSerial, version.serial);
  yield [soa];
  yield* names(version.serial, fromSerial);
  yield [soa];
}

async function* scanNames(
  { zone, ttlSeconds }: ZoneVersion,
  list: (page: { after: string; limit: number }) => Promise<readonly ListedName[] | undefined>,
): AsyncGenerator<readonly WireRecord[]> {
  for (let after = ''; ; ) {
    const names = await list({ after, limit: pageNames });
    if (!names) throw new VersionGone('the zone has changed too often meanwhile');
    yield names.flatMap((listed) => recordsOf(listed, zone, ttlSeconds));
    if (names.length < pageNames) return;
    after = names.at(-1)?.name ?? '';
  }
}

/** None for a name that does not fit below the zone. */
function recordsOf(listed: ListedName, zone: WireName, ttl: number): readonly WireRecord[] {
  if (!isWritable(listed.name)) return [];
  const { owners, target } = policyOf(listed);
  return owners.flatMap((owner) => {
    const labels = labelsBelow(owner, zone);
    return labels ? [{ labels, type: types.cname, ttl, rdata: wire(target) }] : [];
  });
}

const wireNames = new Map<string, WireName>();

function wire(text: string): WireName {
  const known = wireNames.get(text);
  if (known) return known;
  const parsed = parseName(text) as WireName;
  wireNames.set(text, parsed);
  return parsed;
}
