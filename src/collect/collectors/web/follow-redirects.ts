/**
 * Follows HTTP redirects and meta refreshes to the page that visitors end up on. Each request goes through the SSRF guard. Where
 * the chain fails, loops or is too long, the last response counts.
 */
import { Problem } from '../../../model/problem.ts';
import type { OutgoingResponse } from '../../../outgoing/guarded-dialer.ts';
import { classifyFailure } from '../connection-failure.ts';
import { decompressBody } from './decompress-body.ts';
import { pageText } from './page-text.ts';
import { type Page, readPage } from './read-page.ts';

export interface FinalResponse {
  /** Where the chain ended, even if no server answered there. */
  readonly url: string;
  /** The last response that arrived. */
  readonly response: OutgoingResponse;
  /** Undefined where the response was not an HTML page. */
  readonly page: Page | undefined;
}

/** Throws what the dialer throws; undefined when the probe has no time left. */
export type FetchUrl = (url: string) => Promise<OutgoingResponse | undefined>;

const redirectsMax = 10;
const urlLengthMax = 2048;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Throws the error of the first request. */
export async function followRedirects(
  start: string,
  fetchUrl: FetchUrl,
  bytesMax: number,
): Promise<FinalResponse> {
  const visited = new Set<string>();
  let last: FinalResponse | undefined;
  for (let url = start; ; ) {
    const response = await fetchOrStop(url, fetchUrl, last !== undefined);
    if (!response) {
      if (last) return { ...last, url };
      throw new Problem('timed-out', 'there was no time left');
    }
    visited.add(url);
    const page = redirects.has(response.status) ? undefined : await pageOf(response, bytesMax);
    last = { url, response, page };
    const next = nextUrl(url, response, page);
    if (next === undefined || visited.has(next) || visited.size > redirectsMax) return last;
    url = next;
  }
}

async function fetchOrStop(
  url: string,
  fetchUrl: FetchUrl,
  isRedirected: boolean,
): Promise<OutgoingResponse | undefined> {
  try {
    return await fetchUrl(url);
  } catch (error) {
    if (!isRedirected) throw error;
    classifyFailure(error);
    return undefined;
  }
}

function nextUrl(from: string, { status, headers }: OutgoingResponse, page: Page | undefined) {
  const location = redirects.has(status) ? textOf(headers['location']) : page?.refreshTo;
  if (!location || location.length > urlLengthMax) return undefined;
  const url = URL.parse(location, from);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
  url.hash = '';
  return url.href.length > urlLengthMax ? undefined : url.href;
}

const html = /^\s{0,20}(?:text\/html|application\/xhtml\+xml)\s{0,20}(?:;|$)/i;

async function pageOf({ headers, body, url }: OutgoingResponse, bytesMax: number): Promise<Page | undefined> {
  const type = textOf(headers['content-type']);
  if (type !== '' && !html.test(type)) return undefined;
  const bytes = await decompressBody(body, textOf(headers['content-encoding']), bytesMax);
  if (!bytes) return undefined;
  const text = await pageText(bytes, type);
  const isPage = type !== '' || text.slice(0, 1024).trimStart().startsWith('<');
  return isPage ? readPage(text, new URL(url).hostname) : undefined;
}

/** Node decodes headers as Latin-1; UTF-8 in them is restored. */
export function textOf(header: string | readonly string[] | undefined): string {
  const text = typeof header === 'string' ? header : (header?.[0] ?? '');
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}
