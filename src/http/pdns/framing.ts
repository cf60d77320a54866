/** The framing of a response: the text around its records, and how it says whether the response is complete. */
import type { Ending } from '../../product/pdns/page.ts';
import { csv, type MediaType } from './media-type.ts';

export interface Framing {
  readonly contentType: MediaType;
  readonly begin: string;
  /** Around each record. */
  readonly before: string;
  readonly after: string;
  readonly end: (ending: Ending) => string;
  /** The last line of a response that failed. Without one the connection is reset, so that no client takes it for complete. */
  readonly failed?: (message: string) => string;
  /** Sent during a long pause. */
  readonly keepAlive?: string;
  /** Headers, or trailers of a streamed response, that say how it ended where the text cannot. */
  readonly endHeaders?: (ending: Ending) => Readonly<Record<string, string>>;
  readonly emptyIsNotFound: boolean;
}

const succeeded = '{"cond":"succeeded"}\n';

export const begin = '{"cond":"begin"}\n';

export function failedLine(message: string): string {
  return `{"cond":"failed","msg":${JSON.stringify(message)}}\n`;
}

/** The members that report a limit, with the cursor of the next page. */
export function limitMembers(cursor: string | undefined): string {
  return `"msg":"Result limit reached"${cursor === undefined ? '' : `,"cursor":"${cursor}"`}`;
}

/** The Streaming API Framing (SAF) of version 2: lines with `cond` and `obj`. */
export const safFraming: Framing = {
  contentType: 'application/x-ndjson',
  begin,
  before: '{"obj":',
  after: '}\n',
  end: (ending) =>
    ending.outcome === 'complete' ? succeeded : `{"cond":"limited",${limitMembers(ending.cursor)}}\n`,
  failed: failedLine,
  keepAlive: '{}\n',
  emptyIsNotFound: false,
};

function resultHeaders(ending: Ending): Record<string, string> {
  if (ending.outcome === 'complete') return { 'X-Result': 'complete' };
  return { 'X-Result': 'limited', ...(ending.cursor === undefined ? {} : { 'X-Cursor': ending.cursor }) };
}

const bare = { begin: '', before: '', after: '\n', end: () => '', endHeaders: resultHeaders } as const;

/** One record a line, without framing. */
export function plainFraming(contentType: MediaType, emptyIsNotFound: boolean): Framing {
  return { ...bare, contentType, emptyIsNotFound };
}

/** A line with the columns first; each record has its own line ends. */
export function csvFraming(columns: string, emptyIsNotFound: boolean): Framing {
  return { ...bare, contentType: csv, begin: columns, after: '', emptyIsNotFound };
}
