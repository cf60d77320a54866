/** Reads the parameters of a page of objects: `added_after`, `limit`, `next` and `match[…]` (3.4, 3.5). */
import { fieldProblem } from '../../model/problem.ts';
import type { ObjectQuery, VersionChoice } from '../../store/detect/sharing-store.ts';
import { readPairs } from '../query-string.ts';
import { findMicroseconds } from './instants.ts';

const matchNames = ['id', 'type', 'version', 'spec_version'];

/** What the endpoint itself says of the objects. */
export interface FilterRules {
  readonly limitMax: number;
  /** The object that the path names. */
  readonly id?: string;
  readonly allVersions?: boolean;
}

/** Undefined where nothing can match: there are objects of STIX 2.1 alone. */
export function readObjectFilter(
  queryString: string,
  { limitMax, id, allVersions = false }: FilterRules,
): { readonly query: ObjectQuery; readonly matchesNothing: boolean } {
  const pairs = readPairs(queryString);
  const single = (name: string) => pairs.find(([written]) => written === name)?.[1];
  const match = (name: string) => {
    const found = pairs.filter(([written]) => written === `match[${name}]`);
    return found.length === 0 ? undefined : found.flatMap(([, value]) => value.split(','));
  };
  for (const [name] of pairs)
    if (name.startsWith('match[') && !matchNames.some((known) => name === `match[${known}]`))
      throw fieldProblem('invalid-parameters', name, `is not one of ${matchNames.join(', ')}`);
  const ids = id === undefined ? match('id') : [id];
  const types = id === undefined ? match('type') : undefined;
  return {
    query: {
      after: Math.max(readAddedAfter(single('added_after')), readNext(single('next'))),
      limit: readLimit(single('limit'), limitMax),
      ...(ids ? { ids } : {}),
      ...(types ? { types } : {}),
      versions: allVersions ? 'all' : readVersions(match('version') ?? ['last']),
    },
    matchesNothing: !(match('spec_version')?.includes('2.1') ?? true),
  };
}

function readAddedAfter(text: string | undefined): number {
  if (text === undefined) return -1;
  const microseconds = findMicroseconds(text);
  if (microseconds !== undefined) return microseconds;
  throw fieldProblem(
    'invalid-parameters',
    'added_after',
    'must be a time such as 2026-03-04T10:11:12.345678Z',
  );
}

/** The time at which the last object of the page before was added. */
function readNext(text: string | undefined): number {
  if (text === undefined || text === '') return -1;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw fieldProblem('invalid-parameters', 'next', 'must be the value that the page before gave');
}

/** More than the maximum is the maximum, as the standard allows. */
function readLimit(text: string | undefined, limitMax: number): number {
  if (text === undefined) return limitMax;
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Math.min(Number(text), limitMax);
  throw fieldProblem('invalid-parameters', 'limit', 'must be an integer of at least 1');
}

function readVersions(words: readonly string[]): VersionChoice {
  if (words.includes('all')) return 'all';
  const times = words.filter((word) => word !== 'first' && word !== 'last');
  const atMs = times.map((time) => {
    const microseconds = findMicroseconds(time);
    if (microseconds !== undefined) return Math.floor(microseconds / 1000);
    throw fieldProblem('invalid-parameters', 'match[version]', 'must be first, last, all or a time');
  });
  return { first: words.includes('first'), last: words.includes('last'), atMs };
}
