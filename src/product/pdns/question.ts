/**
 * What is asked of passive DNS: from the segments of a path, each decoded once, and query parameters to a question that
 * can be put to the store. "Now" is fixed here, so that a question means the same however long its answer takes.
 */
import { nameLength, nameText, parseName } from '../../model/dns/name.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { RowFilter, Scan, Selection, TextScan } from '../../store/rrset-store.ts';
import { readAddressSpan } from './address-span.ts';
import { type Order, type Ordering, type Place, readCursor } from './cursor.ts';
import { readFlex } from './flex-question.ts';
import { readNameSpan } from './name-span.ts';
import { type Parameters, readFences, readFlag, readText, readWhole } from './parameters.ts';
import { getTypeFilter, type KeepsType, plainTypes } from './type-filter.ts';

export interface Paging extends Ordering {
  /** As asked; 0 stands for as many as the key may have. */
  readonly limit: number;
  readonly offset: number | undefined;
  readonly after: Place | undefined;
}

interface Asked {
  readonly filter: RowFilter;
  readonly paging: Paging;
}

export interface RowQuestion extends Asked {
  readonly verb: 'lookup' | 'summarize';
  readonly rows: Pick<Scan, 'selection' | 'bailiwick' | 'merged' | 'nowSeconds'>;
  /** A summary stops once the summed count has reached this. */
  readonly countStop: number | undefined;
  readonly humanTime: boolean;
}

export interface FlexQuestion extends Asked {
  readonly verb: 'flex';
  readonly texts: Pick<TextScan, 'over' | 'matches' | 'needs'>;
  /** With count and times. */
  readonly verbose: boolean;
}

export type Question = RowQuestion | FlexQuestion;

const limitByDefault = 10_000;

/** Throws the Problem `no-such-path` for an unknown first segment, and problems that name the fault for all else. */
export function readQuestion(path: readonly string[], parameters: Parameters, nowSeconds: number): Question {
  const verb = path[0];
  if (verb === 'lookup' || verb === 'summarize') return readRows(verb, path, parameters, nowSeconds);
  if (verb === 'regex' || verb === 'glob') {
    const { keepsType, ...flex } = readFlex(verb, path, parameters);
    const filter = readFilter(keepsType, parameters, nowSeconds, readWhole(parameters, 'max_count'));
    return { verb: 'flex', ...flex, filter, paging: readPaging(path, true, parameters) };
  }
  throw new Problem('no-such-path', 'There is nothing at this path.');
}

function readRows(
  verb: 'lookup' | 'summarize',
  path: readonly string[],
  parameters: Parameters,
  nowSeconds: number,
): RowQuestion {
  const { selection, keepsType, bailiwick } = readSelection(path);
  const merged = readFlag(parameters, 'aggr', true);
  const countMax = readWhole(parameters, 'max_count');
  const isLookup = verb === 'lookup';
  return {
    verb,
    rows:
      bailiwick === undefined
        ? { selection, merged, nowSeconds }
        : { selection, merged, nowSeconds, bailiwick },
    filter: readFilter(keepsType, parameters, nowSeconds, isLookup ? countMax : undefined),
    paging: readPaging(path, merged, parameters),
    countStop: isLookup ? undefined : countMax,
    humanTime: readFlag(parameters, 'humantime', false),
  };
}

function readFilter(
  keepsType: KeepsType,
  parameters: Parameters,
  nowSeconds: number,
  countMax: number | undefined,
): RowFilter {
  const countMin = readWhole(parameters, 'min_count');
  const filter: { -readonly [Part in keyof RowFilter]: RowFilter[Part] } = {
    keepsType,
    fences: readFences(parameters, nowSeconds),
  };
  if (countMin !== undefined) filter.countMin = countMin;
  if (countMax !== undefined) filter.countMax = countMax;
  return filter;
}

function readPaging(path: readonly string[], merged: boolean, parameters: Parameters): Paging {
  const sort = readText(parameters, 'sort');
  if (sort !== undefined && sort !== 'time_last') {
    throw fieldProblem('invalid-parameters', 'sort', 'must be time_last, or be left out');
  }
  const order: Order = sort === undefined ? 'store' : 'newest';
  const cursor = readText(parameters, 'cursor');
  const after = cursor === undefined ? undefined : readCursor(cursor, { path, merged, order });
  if (cursor !== undefined && !after) {
    throw fieldProblem('invalid-parameters', 'cursor', 'is not a cursor of this question');
  }
  const limit = readWhole(parameters, 'limit') ?? limitByDefault;
  return { path, merged, order, limit, offset: readWhole(parameters, 'offset'), after };
}

interface Selected {
  readonly selection: Selection;
  readonly keepsType: KeepsType;
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
  const way = `${direction}/${kind}`;
  const longest = way === 'rrset/name' ? 6 : 5;
  if (path.length > longest) {
    throw new Problem('malformed-request', `${way} takes no more than ${longest - 3} values`);
  }
  switch (way) {
    case 'rrset/name': {
      const selection: Selection = { by: 'owner', ...nameIn(value) };
      const keepsType = getTypeFilter(type);
      if (bailiwick === undefined) return { selection, keepsType };
      const zone = parseName(bailiwick);
      if (!zone) throw fieldProblem('invalid-parameters', 'bailiwick', 'is not a domain name');
      return { selection, keepsType, bailiwick: zone };
    }
    case 'rrset/raw':
      return { selection: rawOwner(value), keepsType: getTypeFilter(type) };
    case 'rdata/name':
      return { selection: { by: 'rdata-name', ...nameIn(value) }, keepsType: getTypeFilter(type) };
    case 'rdata/ip':
      return { selection: addressesIn(value, type), keepsType: plainTypes };
    case 'rdata/raw':
      return { selection: { by: 'rdata-prefix', bytes: bytesIn(value) }, keepsType: getTypeFilter(type) };
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

/** The address says which records it is found in, A or AAAA; the type may only agree that it is one of them. */
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
