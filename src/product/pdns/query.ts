/**
 * Parses a passive DNS query, the segments of a path and its parameters, into a form that the store can scan for. The current
 * time is fixed here, so that a query means the same however long its search takes.
 */
import { nameLength, nameText, parseName } from '../../model/dns/name.ts';
import { plainTypes, type TypeSelection } from '../../model/dns/type-selection.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { RowFilter, Scan, Selection, SightingFilter, TextScan } from '../../store/rrset-store.ts';
import { readAddressSpan } from './address-span.ts';
import { type CursorPosition, type Order, type Ordering, readCursor } from './cursor.ts';
import { parseFlexQuery } from './flex-query.ts';
import { readNameSpan } from './name-span.ts';
import { type Parameters, readFences, readFlag, readInteger, readText } from './parameters.ts';
import { getTypes } from './type-filter.ts';

export interface Paging extends Ordering {
  /** As requested; 0 means as many as the key allows. */
  readonly limit: number;
  readonly offset: number | undefined;
  readonly after: CursorPosition | undefined;
}

export interface RowQuery {
  readonly verb: 'lookup' | 'summarize';
  readonly filter: RowFilter;
  readonly paging: Paging;
  readonly rows: Pick<Scan, 'selection' | 'bailiwick' | 'merged' | 'nowSeconds'>;
  /** A summary stops once the summed count has reached this. */
  readonly countStop: number | undefined;
  readonly humanTime: boolean;
}

export interface FlexQuery {
  readonly verb: 'flex';
  readonly filter: SightingFilter;
  readonly paging: Paging;
  readonly texts: Pick<TextScan, 'over' | 'pattern' | 'exclude' | 'type'>;
  /** With count and times. */
  readonly verbose: boolean;
}

export type Query = RowQuery | FlexQuery;

const defaultLimit = 10_000;

/** Throws the Problem `no-such-path` for an unknown first segment, and otherwise problems that name what is wrong. */
export function parseQuery(path: readonly string[], parameters: Parameters, nowSeconds: number): Query {
  const verb = path[0];
  if (verb === 'lookup' || verb === 'summarize') return readRows(verb, path, parameters, nowSeconds);
  if (verb === 'regex' || verb === 'glob') {
    const flex = parseFlexQuery(verb, path, parameters);
    const filter = readFilter(parameters, nowSeconds, readInteger(parameters, 'max_count'));
    return { verb: 'flex', ...flex, filter, paging: readPaging(path, true, parameters) };
  }
  throw new Problem('no-such-path', 'There is nothing at this path.');
}

function readRows(
  verb: 'lookup' | 'summarize',
  path: readonly string[],
  parameters: Parameters,
  nowSeconds: number,
): RowQuery {
  const { selection, types, bailiwick } = readSelection(path);
  const merged = readFlag(parameters, 'aggr', true);
  const countMax = readInteger(parameters, 'max_count');
  const isLookup = verb === 'lookup';
  return {
    verb,
    rows:
      bailiwick === undefined
        ? { selection, merged, nowSeconds }
        : { selection, merged, nowSeconds, bailiwick },
    filter: { types, ...readFilter(parameters, nowSeconds, isLookup ? countMax : undefined) },
    paging: readPaging(path, merged, parameters),
    countStop: isLookup ? undefined : countMax,
    humanTime: readFlag(parameters, 'humantime', false),
  };
}

function readFilter(
  parameters: Parameters,
  nowSeconds: number,
  countMax: number | undefined,
): SightingFilter {
  const countMin = readInteger(parameters, 'min_count');
  const filter: { -readonly [Part in keyof SightingFilter]: SightingFilter[Part] } = {
    fences: readFences(parameters, nowSeconds),
  };
  if (countMin !== undefined) filter.countMin = countMin;
  if (countMax !== undefined) filter.countMax = countMax;
  return filter;
}

const cursorFault =
  'is not a cursor of this query: send path, aggr and sort unchanged, or start again without cursor';

function readPaging(path: readonly string[], merged: boolean, parameters: Parameters): Paging {
  const sort = readText(parameters, 'sort');
  if (sort !== undefined && sort !== 'time_last') {
    throw fieldProblem('invalid-parameters', 'sort', 'must be time_last, or be left out');
  }
  const order: Order = sort === undefined ? 'store' : 'newest';
  const cursor = readText(parameters, 'cursor');
  const after = cursor === undefined ? undefined : readCursor(cursor, { path, merged, order });
  if (cursor !== undefined && !after) {
    throw fieldProblem('invalid-parameters', 'cursor', cursorFault);
  }
  const limit = readInteger(parameters, 'limit') ?? defaultLimit;
  return { path, merged, order, limit, offset: readInteger(parameters, 'offset'), after };
}

interface Selected {
  readonly selection: Selection;
  readonly types: TypeSelection;
  readonly bailiwick?: Scan['bailiwick'];
}

const unreadable = () =>
  new Problem(
    'malformed-request',
    'the path must continue rrset/name/NAME, rrset/raw/HEX, rdata/name/NAME, rdata/ip/ADDRESS or rdata/raw/HEX',
  );

/** `[verb, direction, kind, value, RRTYPE?, BAILIWICK?]` */
function readSelection(path: readonly string[]): Selected {
  const [, direction, kind, value, type, bailiwick] = path;
  if (value === undefined) throw unreadable();
  const route = `${direction}/${kind}`;
  const longest = route === 'rrset/name' ? 6 : 5;
  if (path.length > longest) {
    throw new Problem('malformed-request', `${route} takes no more than ${longest - 3} values`);
  }
  switch (route) {
    case 'rrset/name': {
      const selection: Selection = { by: 'owner', ...nameIn(value) };
      const types = getTypes(type);
      if (bailiwick === undefined) return { selection, types };
      const zone = parseName(bailiwick);
      if (!zone) throw fieldProblem('invalid-parameters', 'bailiwick', 'is not a domain name');
      return { selection, types, bailiwick: zone };
    }
    case 'rrset/raw':
      return { selection: rawOwner(value), types: getTypes(type) };
    case 'rdata/name':
      return { selection: { by: 'rdata-name', ...nameIn(value) }, types: getTypes(type) };
    case 'rdata/ip':
      return { selection: addressesIn(value, type), types: plainTypes };
    case 'rdata/raw':
      return { selection: { by: 'rdata-prefix', bytes: bytesIn(value) }, types: getTypes(type) };
    default:
      throw unreadable();
  }
}

function nameIn(text: string) {
  const spanned = readNameSpan(text);
  if (spanned) return spanned;
  throw fieldProblem(
    'invalid-parameters',
    'name',
    'is not a domain name; a wildcard is one whole label at one end, as *.example.com or www.example.*',
  );
}

function bytesIn(text: string): Uint8Array {
  if (/^(?:[\da-f]{2})+$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'));
  throw fieldProblem('invalid-parameters', 'raw', 'must be an even number of hex digits');
}

function rawOwner(text: string): Selection {
  const bytes = bytesIn(text);
  const name = nameLength(bytes, 0) === bytes.length ? parseName(nameText(bytes)) : undefined;
  if (!name) throw fieldProblem('invalid-parameters', 'raw', 'is not a domain name in wire form');
  return { by: 'owner', name, span: 'none' };
}

/** The family of the address determines the record type, A or AAAA; a given type must be one of them or ANY. */
function addressesIn(text: string, type: string | undefined): Selection {
  const span = readAddressSpan(text);
  if (!span) {
    throw fieldProblem(
      'invalid-parameters',
      'ip',
      'must be an address, a prefix such as 192.0.2.0,24, or a range such as 192.0.2.1-192.0.2.20',
    );
  }
  if (type !== undefined && !/^(?:A|AAAA|ANY|TYPE0*(?:1|28|255))$/i.test(type)) {
    throw fieldProblem('invalid-parameters', 'rrtype', 'must be A, AAAA or ANY in a search by address');
  }
  return { by: 'address', ...span };
}
