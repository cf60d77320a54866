/**
 * Records as JSON objects, serialized by hand: this is the innermost loop of every response, and the order of members is part
 * of the contract.
 */
import { nameText } from '../../model/dns/name.ts';
import { rdataText } from '../../model/dns/rdata-text.ts';
import { typeText } from '../../model/dns/rr-type.ts';
import type { Summary } from '../../product/pdns/summarize.ts';
import type { Row, TextRow } from '../../store/rrset-store.ts';

export type TimeText = (seconds: number) => string;

export const epochTime: TimeText = String;

const lastInstantMs = Date.parse('9999-12-31T23:59:59Z');

/** RFC 3339, without quotes. */
export function humanTime(seconds: number): string {
  return new Date(Math.min(seconds * 1000, lastInstantMs)).toISOString().replace('.000', '');
}

export const quotedHumanTime: TimeText = (seconds) => `"${humanTime(seconds)}"`;

/** Presentation format is printable ASCII, so a quote or a backslash is all that could need an escape. */
export function quoted(text: string): string {
  return text.includes('\\') || text.includes('"') ? JSON.stringify(text) : `"${text}"`;
}

export function timePair(prefix: string, first: number, last: number, timeText: TimeText): string {
  return `"${prefix}time_first":${timeText(first)},"${prefix}time_last":${timeText(last)}`;
}

/** Adjacent rows mostly have the same name, so the text of the last one is memoized. */
class NameMemo {
  #name: Uint8Array = new Uint8Array();
  #text = '';

  quoted(name: Uint8Array): string {
    // Rows of one scan share the array of a name.
    if (this.#name !== name && !sameBytes(this.#name, name)) this.#text = quoted(nameText(name));
    this.#name = name;
    return this.#text;
  }
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}

/** Serializes the rows of one response. `bare`: the data of a single RR is a string, as in inverse lookups of version 1. */
export function rowWriter(timeText: TimeText, bare: boolean): (row: Row) => string {
  const [owners, zones] = [new NameMemo(), new NameMemo()];
  return (row) => {
    const { type, bailiwick } = row;
    const prefix = row.origin === 'zone' ? 'zone_' : '';
    const head = `{"count":${row.count},${timePair(prefix, row.firstSeconds, row.lastSeconds, timeText)}`;
    const what = `,"rrname":${owners.quoted(row.owner)},"rrtype":"${typeText(type)}`;
    let data = '';
    for (const member of row.rdata) data += (data === '' ? '' : ',') + quoted(rdataText(type, member));
    if (bailiwick !== undefined)
      return `${head}${what}","bailiwick":${zones.quoted(bailiwick)},"rdata":[${data}]}`;
    return bare ? `${head}${what}","rdata":${data}}` : `${head}${what}","rdata":[${data}]}`;
  };
}

export function summaryObject({ count, results, seen }: Summary, timeText: TimeText): string {
  const { sensor, zone } = seen;
  const inTraffic = sensor ? `,${timePair('', sensor.firstSeconds, sensor.lastSeconds, timeText)}` : '';
  const inZones = zone ? `,${timePair('zone_', zone.firstSeconds, zone.lastSeconds, timeText)}` : '';
  return `{"count":${count},"num_results":${results}${inTraffic}${inZones}}`;
}

export function textObject(row: TextRow, over: 'names' | 'rdata', verbose: boolean): string {
  const type = `"rrtype":"${typeText(row.type)}"`;
  const sighting = verbose
    ? `,"count":${row.count},${timePair('', row.firstSeconds, row.lastSeconds, epochTime)}`
    : '';
  if (over === 'names') return `{"rrname":${quoted(row.text)},${type}${sighting}}`;
  return `{"rdata":${quoted(row.text)},${type},"raw_rdata":"${hexOf(row.wire)}"${sighting}}`;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex').toUpperCase();
}
