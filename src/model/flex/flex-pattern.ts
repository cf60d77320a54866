/**
 * The pattern language of flexible search, compiled to a linear-time matcher (Thompson NFA, lazy DFA or bit-parallel simulation, the design of RE2) and a
 * literal prefilter for the trigram index.
 */
import { fieldProblem } from '../problem.ts';
import { readGlob } from './glob.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { matchedBytes, type PatternMatcher } from './pattern-matcher.ts';
import { PatternReader } from './pattern-reader.ts';
import { type PatternTree, withoutOpenEnds } from './pattern-tree.ts';
import { type Prefilter, prefilterOf } from './prefilter.ts';
import { readRegex } from './regex.ts';
import { compileNfa, stateCount } from './thompson-nfa.ts';

export type { Prefilter };

/** A pattern as it was written. */
export interface FlexPatternText {
  readonly kind: 'regex' | 'glob';
  readonly text: string;
}

export interface FlexPattern {
  /** Matches the presentation form, ignoring case, in time linear in its length whatever the pattern: no ReDoS. */
  readonly matches: (text: string) => boolean;
  /** The same, in steps. */
  readonly matcher: PatternMatcher;
  /** A condition that every matching text satisfies in lower case. */
  readonly prefilter: Prefilter;
}

const maxLength = 4096;
/** More than any pattern of that length has without counted repetitions. */
const maxStates = 8192;

/** Throws a Problem that names the field, what is wrong with the pattern, and at which character. */
export function checkFlexPattern(pattern: FlexPatternText, field = 'pattern'): void {
  parseFlexPattern(pattern, field);
}

/** Throws as `checkFlexPattern` does. */
export function compileFlexPattern(kind: 'regex' | 'glob', text: string, field = 'pattern'): FlexPattern {
  const searched = withoutOpenEnds(parseFlexPattern({ kind, text }, field));
  const matcher = new LazyDfa(compileNfa(searched));
  const matches = (candidate: string) => {
    matcher.begin(matchedBytes(candidate), candidate.length);
    return matcher.resume(Number.POSITIVE_INFINITY) === true;
  };
  return { matches, matcher, prefilter: prefilterOf(searched) };
}

function parseFlexPattern({ kind, text }: FlexPatternText, field: string): PatternTree {
  if (text === '') throw fieldProblem('invalid-parameters', field, 'the pattern is empty');
  if (text.length > maxLength) {
    throw fieldProblem('invalid-parameters', field, `a pattern may have ${maxLength} characters at most`);
  }
  const reader = new PatternReader(text, field);
  const unprintable = text.search(/[^ -~]/);
  if (unprintable >= 0) throw reader.problem('only printable ASCII characters may be used', unprintable);

  const tree = kind === 'regex' ? readRegex(reader) : readGlob(reader);
  if (stateCount(tree) > maxStates) {
    throw fieldProblem(
      'invalid-parameters',
      field,
      'the pattern is too large when its repetitions are expanded',
    );
  }
  return tree;
}
