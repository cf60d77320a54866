/**
 * Records as CSV (RFC 4180): a header, then a line for each rdata, so that it can be sorted and filtered by. Against formula (CSV)
 * injection in spreadsheets, a leading = + - or @ is written as its DNS escape, which is the same name to all DNS software.
 */
import { nameText } from '../../model/dns/name.ts';
import { rdataText } from '../../model/dns/rdata-text.ts';
import { typeText } from '../../model/dns/rr-type.ts';
import type { Summary } from '../../product/pdns/summarize.ts';
import type { Row, TextRow } from '../../store/rrset-store.ts';
import { epochTime, hexOf, type TimeText } from './record-text.ts';

const spanColumns = 'time_first,time_last,zone_time_first,zone_time_last';
export const rowColumns = `count,${spanColumns},rrname,rrtype,bailiwick,rdata\r\n`;
export const summaryColumns = `count,num_results,${spanColumns}\r\n`;

export function textColumns(over: 'names' | 'rdata', verbose: boolean): string {
  const sighting = verbose ? ',count,time_first,time_last' : '';
  return `${over === 'names' ? 'rrname,rrtype' : 'rdata,rrtype,raw_rdata'}${sighting}\r\n`;
}

function field(text: string): string {
  const escaped = /^[=+\-@]/.test(text) ? `\\0${text.charCodeAt(0)}${text.slice(1)}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

type Span = { readonly firstSeconds: number; readonly lastSeconds: number } | undefined;

function spans(sensor: Span, zone: Span, timeText: TimeText): string {
  const pair = (span: Span) => (span ? `${timeText(span.firstSeconds)},${timeText(span.lastSeconds)}` : ',');
  return `${pair(sensor)},${pair(zone)}`;
}

export function rowLines(row: Row, timeText: TimeText): string {
  const { owner, type, bailiwick } = row;
  const seen = row.origin === 'zone' ? spans(undefined, row, timeText) : spans(row, undefined, timeText);
  const zone = bailiwick ? field(nameText(bailiwick)) : '';
  const head = `${row.count},${seen},${field(nameText(owner))},${typeText(type)},${zone},`;
  let lines = '';
  for (const member of row.rdata) lines += `${head}${field(rdataText(type, member))}\r\n`;
  return lines;
}

export function summaryLine({ count, results, seen }: Summary, timeText: TimeText): string {
  return `${count},${results},${spans(seen.sensor, seen.zone, timeText)}\r\n`;
}

export function textLine(row: TextRow, over: 'names' | 'rdata', verbose: boolean): string {
  const wire = over === 'names' ? '' : `,${hexOf(row.wire)}`;
  const sighting = verbose
    ? `,${row.count},${epochTime(row.firstSeconds)},${epochTime(row.lastSeconds)}`
    : '';
  return `${field(row.text)},${typeText(row.type)}${wire}${sighting}\r\n`;
}
