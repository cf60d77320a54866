/**
 * Converts an RRset in presentation format with COF members (`rrname`, `rrtype`, `bailiwick`, `rdata`) to wire format. Without a
 * bailiwick it gets the root, which every name is below.
 */
import { parseName, rootName } from '../../model/dns/name.ts';
import type { Rrset, WireName } from '../../model/dns/rrset.ts';
import type { RdataReader } from './rdata-reader.ts';
import { recordType } from './record-type.ts';
import { canBeStored } from './rrset-format.ts';

export interface PresentedRrset {
  readonly rrname?: unknown;
  readonly rrtype?: unknown;
  readonly bailiwick?: unknown;
  /** One string or a list. */
  readonly rdata?: unknown;
}

export type WireRrset = Pick<Rrset, 'owner' | 'type' | 'bailiwick' | 'rdata'>;

function wireRdata(type: number, given: unknown, reader: RdataReader): readonly Uint8Array[] | string {
  const texts: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (texts.length === 0) return 'rdata is empty';
  const rdata: Uint8Array[] = [];
  for (const text of texts) {
    if (typeof text !== 'string') return 'rdata is not text';
    const bytes = reader.read(type, text);
    if (bytes === undefined) return 'rdata does not fit its type';
    rdata.push(bytes);
  }
  return canBeStored(rdata) ? rdata : 'the RRset is too large';
}

/**
 * The bailiwick is nearly always a suffix of the owner, and so are its bytes, as long as the owner has neither escapes nor
 * multi-byte characters.
 */
function endOfOwner(rrname: string, owner: WireName, zone: string): WireName | undefined {
  const labelStart = rrname.length - zone.length;
  const isPlain = owner.length === rrname.length + 1 && !rrname.includes('\\');
  const isWholeLabels = labelStart === 0 || rrname[labelStart - 1] === '.';
  if (!isPlain || !isWholeLabels || zone === '.' || !rrname.endsWith(zone)) return undefined;
  return labelStart === 0 ? owner : owner.slice(labelStart);
}

function wireBailiwick(zone: unknown, rrname: string, owner: WireName): WireName | undefined {
  if (zone === undefined || zone === null || zone === '') return rootName;
  return typeof zone === 'string' ? (endOfOwner(rrname, owner, zone) ?? parseName(zone)) : undefined;
}

/** The RRset, or the reason why it is invalid. */
export function wireRrset(given: PresentedRrset, reader: RdataReader): WireRrset | string {
  const { rrname } = given;
  if (typeof rrname !== 'string') return rrname === undefined ? 'rrname is missing' : 'rrname is not a name';
  const owner = parseName(rrname);
  if (owner === undefined) return 'rrname is not a name';
  const type = recordType(given.rrtype);
  if (type === undefined) return 'rrtype is not a type of data';
  const bailiwick = wireBailiwick(given.bailiwick, rrname, owner);
  if (bailiwick === undefined) return 'bailiwick is not a name';
  const rdata = wireRdata(type, given.rdata, reader);
  return typeof rdata === 'string' ? rdata : { owner, type, bailiwick, rdata };
}
