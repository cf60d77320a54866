/** Parses the path of a flexible search: which texts, the pattern, and a pattern of what to exclude. */
import { isTextType } from '../../model/dns/rr-type.ts';
import { compileFlexPattern } from '../../model/flex/flex-pattern.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { TextScan } from '../../store/rrset-store.ts';
import { type Parameters, readFlag, readText } from './parameters.ts';
import { getType, getTypeFilter, plainTypes, type TypeFilter } from './type-filter.ts';

interface FlexPath {
  readonly texts: Pick<TextScan, 'over' | 'matches' | 'prefilter'>;
  readonly matchesType: TypeFilter;
  readonly verbose: boolean;
}

/** `[kind, 'rrnames' | 'rdata', pattern, RRTYPE?]` */
export function parseFlexQuery(
  kind: 'regex' | 'glob',
  path: readonly string[],
  parameters: Parameters,
): FlexPath {
  const [, what, pattern, type] = path;
  if ((what !== 'rrnames' && what !== 'rdata') || pattern === undefined || path.length > 4) {
    throw new Problem('malformed-request', 'the path must continue rrnames/PATTERN or rdata/PATTERN');
  }
  const wanted = compileFlexPattern(kind, pattern, 'pattern');
  const exclude = readText(parameters, 'exclude');
  const unwanted = exclude === undefined ? undefined : compileFlexPattern(kind, exclude, 'exclude');
  const matches = unwanted
    ? (text: string) => wanted.matches(text) && !unwanted.matches(text)
    : (text: string) => wanted.matches(text);
  return {
    texts: { over: what === 'rrnames' ? 'names' : 'rdata', matches, prefilter: wanted.prefilter },
    matchesType: searchedTypesIn(type, what === 'rrnames' ? plainTypes : isTextType),
    verbose: readFlag(parameters, 'verbose', false),
  };
}

function searchedTypesIn(text: string | undefined, searched: TypeFilter): TypeFilter {
  if (text === undefined || /^(?:ANY|TYPE255)$/i.test(text)) return searched;
  if (!/^ANY-DNSSEC$/i.test(text) && searched(getType(text))) return getTypeFilter(text);
  throw fieldProblem('invalid-parameters', 'rrtype', 'is not a type that flexible search supports');
}
