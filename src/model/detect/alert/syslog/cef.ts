/**
 * An event in the Common Event Format of ArcSight, version 0: a header with bars, then pairs of keys and values. Values are on one line; bars and
 * backslashes of the header, equals signs and backslashes of values are escaped, so that nothing in them ends a field or begins another.
 */
import { domainToUnicode } from 'node:url';
import type { WatchlistEvent } from '../../watchlist.ts';
import { boundedText, boundedValue } from '../bounded-value.ts';
import { eventTitle } from '../event-summary.ts';
import { type AlertMessage, testSentence } from '../message.ts';
import { severityOf } from './severity.ts';

/** Of the meaning of the fields below. */
const formatVersion = '1';
/** Escaping may double them. */
const [valueBytesMax, detailBytesMax] = [400, 1000];
const bounds = { textBytes: 256, items: 20, depth: 3 };

export function writeCef(event: WatchlistEvent | undefined, message: AlertMessage): string {
  const name = event ? eventTitle(event) : testSentence;
  const head = ['CEF:0', 'Nameglass', 'Nameglass', formatVersion, event?.kind ?? 'test', name].map(
    headerValue,
  );
  const members = event ? fieldsOf(event, message) : [['rt', String(message.atMs)] as const];
  const extension = members.map(([key, value]) => `${key}=${extensionValue(key, value)}`).join(' ');
  return `${head.join('|')}|${severityOf(event)}|${extension}`;
}

function fieldsOf(
  event: WatchlistEvent,
  { deliveryId, terms }: AlertMessage,
): readonly (readonly [string, string])[] {
  const { id, atMs, domain, domainId, monitorIds, detail } = event;
  const found = monitorIds.slice(0, bounds.items).map((one) => terms.get(one) ?? one);
  const { riskScore, ...others } = boundedValue(detail, bounds) as Record<string, unknown>;
  return [
    ['rt', String(atMs)],
    ['externalId', String(id)],
    ['dhost', domain],
    ['destinationDnsDomain', domainToUnicode(domain) || domain],
    ['cs1Label', 'monitors'],
    ['cs1', found.join(', ')],
    ['cs2Label', 'watchlistDomainId'],
    ['cs2', domainId],
    ['cs3Label', 'deliveryId'],
    ['cs3', deliveryId],
    ...(typeof riskScore === 'number'
      ? ([
          ['cn1Label', 'riskScore'],
          ['cn1', String(riskScore)],
        ] as const)
      : []),
    ...(Object.keys(others).length > 0 ? [['msg', detailText(others)] as const] : []),
  ];
}

function detailText(detail: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(detail).map(([name, value]) => {
    const values = [value].flat().map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')));
    return `${name}: ${values.join(', ')}`;
  });
  return boundedText(parts.join('; '), detailBytesMax);
}

function headerValue(text: string): string {
  return boundedText(text, valueBytesMax).replaceAll(/[\\|]/g, '\\$&');
}

function extensionValue(key: string, text: string): string {
  return boundedText(text, key === 'msg' ? detailBytesMax : valueBytesMax).replaceAll(/[\\=]/g, '\\$&');
}
