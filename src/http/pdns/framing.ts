/** What stands around the records of an answer, and whether it can say how the answer ended. */
import type { Ending } from '../../product/pdns/page.ts';
import { csv, type MediaType } from './accept.ts';

export interface Framing {
  readonly contentType: MediaType;
  readonly begin: string;
  /** Around each record. */
  readonly before: string;
  readonly after: string;
  readonly end: (ending: Ending) => string;
  /** The last line of an answer that failed. Without one the connection is cut, so that nobody takes it for complete. */
  readonly failed?: (message: string) => string;
  /** Bridges a long pause. */
  readonly keepAlive?: string;
  /** Headers, or trailers of a long answer, that tell how it ended where the text cannot. */
  readonly endHeaders?: (ending: Ending) => Readonly<Record<string, string>>;
  readonly emptyIsNotFound: boolean;
}

const succeeded = '{"cond":"succeeded"}\n';

export const begin = '{"cond":"begin"}\n';

export function failedLine(message: string): string {
  return `{"cond":"failed","msg":${JSON.stringify(message)}}\n`;
}

/** Members that tell of a limit, and of the way on. */
export function limitMembers(cursor: string | undefined): string {
  return `"msg":"Result limit reached"${cursor === undefined ? '' : `,"cursor":"${cursor}"`}`;
}

/** Lines with `cond` and `obj`, as version 2 has them. */
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

/** Records as lines and nothing else. */
export function plainFraming(contentType: MediaType, emptyIsNotFound: boolean): Framing {
  return { ...bare, contentType, emptyIsNotFound };
}

/** The columns are a line of their own, and each record brings its ends of line. */
export function csvFraming(columns: string, emptyIsNotFound: boolean): Framing {
  return { ...bare, contentType: csv, begin: columns, after: '', emptyIsNotFound };
}
