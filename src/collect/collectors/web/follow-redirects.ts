/**
 * From the front page of a site to the page that visitors see in the end, one request at a time, each judged by the dialer. Where the way
 * leads to somebody who does not answer, or in a circle, or on and on, the last answer that came stands.
 */
import { Problem } from '../../../model/problem.ts';
import type { OutgoingAnswer } from '../../../outgoing/guarded-dialer.ts';
import { noAnswerOf } from '../no-answer.ts';
import { pageText } from './page-text.ts';
import { type Page, readPage } from './read-page.ts';
import { unpackBody } from './unpack-body.ts';

export interface Arrival {
  /** Where visitors are in the end, or would be if anybody answered there. */
  readonly url: string;
  /** The last one that came. */
  readonly answer: OutgoingAnswer;
  /** Undefined where that was no page. */
  readonly page: Page | undefined;
}

/** Throws what the dialer throws, and undefined stands for a time that is over. */
export type Ask = (url: string) => Promise<OutgoingAnswer | undefined>;

const redirectsMax = 10;
const urlLengthMax = 2048;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Throws what the first request failed with. */
export async function followRedirects(start: string, ask: Ask, bytesMax: number): Promise<Arrival> {
  const visited = new Set<string>();
  let arrival: Arrival | undefined;
  for (let url = start; ; ) {
    const answer = await askOnTheWay(url, ask, arrival !== undefined);
    if (!answer) {
      if (arrival) return { ...arrival, url };
      throw new Problem('timed-out', 'there was no time left');
    }
    visited.add(url);
    const page = redirects.has(answer.status) ? undefined : await pageOf(answer, bytesMax);
    arrival = { url, answer, page };
    const next = nextUrl(url, answer, page);
    if (next === undefined || visited.has(next) || visited.size > redirectsMax) return arrival;
    url = next;
  }
}

async function askOnTheWay(url: string, ask: Ask, isOnTheWay: boolean): Promise<OutgoingAnswer | undefined> {
  try {
    return await ask(url);
  } catch (error) {
    if (!isOnTheWay) throw error;
    noAnswerOf(error);
    return undefined;
  }
}

function nextUrl(from: string, { status, headers }: OutgoingAnswer, page: Page | undefined) {
  const location = redirects.has(status) ? textOf(headers['location']) : page?.refreshTo;
  if (!location || location.length > urlLengthMax) return undefined;
  const url = URL.parse(location, from);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
  url.hash = '';
  return url.href.length > urlLengthMax ? undefined : url.href;
}

const html = /^\s{0,20}(?:text\/html|application\/xhtml\+xml)\s{0,20}(?:;|$)/i;

async function pageOf({ headers, body, url }: OutgoingAnswer, bytesMax: number): Promise<Page | undefined> {
  const type = textOf(headers['content-type']);
  if (type !== '' && !html.test(type)) return undefined;
  const bytes = await unpackBody(body, textOf(headers['content-encoding']), bytesMax);
  if (!bytes) return undefined;
  const text = await pageText(bytes, type);
  const isPage = type !== '' || text.slice(0, 1024).trimStart().startsWith('<');
  return isPage ? readPage(text, new URL(url).hostname) : undefined;
}

/** A header's bytes are read one by one as characters; what is UTF-8 among them becomes what it was. */
export function textOf(header: string | readonly string[] | undefined): string {
  const text = typeof header === 'string' ? header : (header?.[0] ?? '');
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}
