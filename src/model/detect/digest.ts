/**
 * A mail digest of watchlist events. Domain names are defanged (`[.]`), so that no mail program makes links of them, and Unicode names, which may
 * deceive, are followed by their punycode.
 */
import { domainToUnicode } from 'node:url';
import { escapeForTerminal } from '../escape-for-terminal.ts';
import { escapeHtml } from '../escape-html.ts';
import type { EventKind, WatchlistEvent } from './watchlist.ts';

export interface DigestContent {
  /** The first ones, in order. */
  readonly events: readonly WatchlistEvent[];
  /** Of all events. */
  readonly counts: ReadonlyMap<EventKind, number>;
  /** Terms by monitor id, as far as known. */
  readonly terms: ReadonlyMap<string, string>;
  /** Where people open the web UI, if there is one. */
  readonly webUrl?: string | undefined;
}

export interface Digest {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const titles: Readonly<Record<EventKind, string>> = {
  discovered: 'discovered',
  changed: 'changed',
  escalated: 'escalated',
  'risk-full': 'with a full risk score',
  withdrawn: 'no longer escalated',
  resolved: 'resolved inside your network',
  'campaign-joined': 'that joined a campaign',
};

const pages = [
  ['Decide about them', '/ui/triage'],
  ['Report of the last 30 days', '/ui/report'],
] as const;

export function writeDigest({ events, counts, terms, webUrl }: DigestContent): Digest {
  const summary = [...counts].map(([kind, count]) => `${count} ${titles[kind]}`).join(', ');
  const sections = [...counts.keys()].map((kind) => {
    const rows = events.filter((event) => event.kind === kind).map((event) => rowOf(event, terms));
    const more = (counts.get(kind) ?? 0) - rows.length;
    return { title: `Domains ${titles[kind]}`, rows, more };
  });
  const links =
    webUrl === undefined ? [] : pages.map(([title, path]) => [title, `${webUrl}${path}`] as const);
  const anchors = links.map(([title, url]) => `<p><a href="${escapeHtml(url)}">${title}</a></p>`).join('\n');
  return {
    subject: `Nameglass: ${summary}`,
    text: [
      ...sections.map(({ title, rows, more }) => [
        title,
        ...rows.map((row) => `  ${row.join('  ')}`),
        ...moreOf(more),
      ]),
      ...(links.length > 0 ? [links.map(([title, url]) => `${title}: ${url}`)] : []),
    ]
      .map((lines) => `${lines.join('\n')}\n`)
      .join('\n'),
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head><body>${sections.map(sectionHtml).join('')}${anchors}</body></html>\n`,
  };
}

type Row = readonly [time: string, name: string, about: string];

function rowOf(
  { atMs, domain, monitorIds, detail }: WatchlistEvent,
  terms: ReadonlyMap<string, string>,
): Row {
  const unicode = domainToUnicode(domain) || domain;
  const name = unicode === domain ? domain : `${unicode} (${domain})`;
  const about = [
    ...monitorIds.flatMap((id) => terms.get(id) ?? []),
    ...Object.values(detail).flat().map(String),
  ].join(', ');
  const time = new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
  return [time, escapeForTerminal(name).replaceAll('.', '[.]'), escapeForTerminal(about)];
}

function moreOf(more: number): string[] {
  return more > 0 ? [`  and ${more} more`] : [];
}

function sectionHtml({ title, rows, more }: { title: string; rows: readonly Row[]; more: number }): string {
  const cells = (row: Row) => row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('');
  const table = rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n');
  const rest = moreOf(more).map((line) => `<p>${line.trim()}</p>`);
  return `<h2>${title}</h2>\n<table>\n${table}\n</table>\n${rest.join('')}\n`;
}
