/**
 * An event for people who read it in a chat. Whatever third parties wrote is on one line, short, without characters that are not seen, and
 * defanged; each service escapes it in its own way besides.
 */
import { domainToUnicode } from 'node:url';
import { defang } from '../../defang.ts';
import { thirdPartyText } from '../../third-party-text.ts';
import type { EventKind, WatchlistEvent } from '../watchlist.ts';
import type { AlertMessage } from './message.ts';

export interface EventSummary {
  /** Our own words. */
  readonly title: string;
  /** `2026-03-04 10:11 UTC` */
  readonly time: string;
  /** A Unicode name is followed by its punycode. From a third party. */
  readonly name: string;
  /** What else is known, at most 300 characters. From third parties. */
  readonly about: string;
}

const eventTitles: Readonly<Record<EventKind, string>> = {
  discovered: 'Lookalike found',
  changed: 'Watched domain changed',
  escalated: 'Domain escalated',
  'risk-full': 'Full risk score',
  withdrawn: 'Escalation withdrawn',
  resolved: 'Somebody inside resolved a lookalike',
  'campaign-joined': 'A lookalike joined a campaign that you follow',
};

export function eventTitle({ kind, detail }: Pick<WatchlistEvent, 'kind' | 'detail'>): string {
  return kind === 'resolved' && detail['state'] === 'ignored'
    ? `${eventTitles.resolved} that you ignored`
    : eventTitles[kind];
}

const [nameMax, aboutMax, valueMax] = [200, 300, 100];

export function summarizeEvent(event: WatchlistEvent, { terms }: Pick<AlertMessage, 'terms'>): EventSummary {
  const { atMs, domain, monitorIds, detail } = event;
  const unicode = domainToUnicode(domain) || domain;
  const name = unicode === domain ? domain : `${unicode} (${domain})`;
  const found = monitorIds.flatMap((id) => terms.get(id) ?? []);
  const about = [
    ...(found.length > 0 ? [`resembles ${found.slice(0, 5).map(shortened).join(', ')}`] : []),
    ...Object.entries(detail).map(
      ([member, value]) => `${member}: ${[value].flat().map(shortened).join(', ')}`,
    ),
  ].join('; ');
  return {
    title: eventTitle(event),
    time: `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    name: cleaned(name, nameMax),
    about: cleaned(about, aboutMax),
  };
}

export function summarizeCount(events: readonly WatchlistEvent[]): string {
  const count = events.length;
  return `Nameglass: ${count} ${count === 1 ? 'event' : 'events'}`;
}

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return thirdPartyText(text, valueMax);
}

function cleaned(text: string, max: number): string {
  const characters = Array.from(defang(thirdPartyText(text, max)));
  // Defanging makes a text longer.
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`;
}
