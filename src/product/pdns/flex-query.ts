/** Parses the path of a flexible search: which texts, the pattern, and a pattern of what to exclude. */
import { isTextType } from '../../model/dns/rr-type.ts';
import { plainTypes, typeMatcher } from '../../model/dns/type-selection.ts';
import { checkFlexPattern, type FlexPatternText } from '../../model/flex/flex-pattern.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import type { TextScan } from '../../store/rrset-store.ts';
import { type Parameters, readFlag, readText } from './parameters.ts';
import { getType } from './type-filter.ts';

const isPlainType = typeMatcher(plainTypes);

interface FlexPath {
  readonly texts: Pick<TextScan, 'over' | 'pattern' | 'exclude' | 'type'>;
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
  const excluded = readText(parameters, 'exclude');
  return {
    texts: {
      over: what === 'rrnames' ? 'names' : 'rdata',
      pattern: checked({ kind, text: pattern }, 'pattern'),
      exclude: excluded === undefined ? undefined : checked({ kind, text: excluded }, 'exclude'),
      type: searchedTypeIn(type, what === 'rrnames' ? isPlainType : isTextType),
    },
    verbose: readFlag(parameters, 'verbose', false),
  };
}

function checked(pattern: FlexPatternText, field: string): FlexPatternText {
  checkFlexPattern(pattern, field);
  return pattern;
}

function searchedTypeIn(text: string | undefined, isSearched: (type: number) => boolean): number | undefined {
  if (text === undefined || /^(?:ANY|TYPE255)$/i.test(text)) return undefined;
  const type = /^ANY-DNSSEC$/i.test(text) ? undefined : getType(text);
  if (type !== undefined && isSearched(type)) return type;
  throw fieldProblem('invalid-parameters', 'rrtype', 'is not a type that flexible search supports');
}
