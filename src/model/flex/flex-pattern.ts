/**
 * The pattern language of flexible search, compiled to a linear-time matcher (Thompson NFA, lazy DFA, the design of RE2) and a
 * literal prefilter for the trigram index.
 */
import { fieldProblem } from '../problem.ts';
import { readGlob } from './glob.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { PatternReader } from './pattern-reader.ts';
import { withoutOpenEnds } from './pattern-tree.ts';
import { type Prefilter, prefilterOf } from './prefilter.ts';
import { readRegex } from './regex.ts';
import { compileNfa, stateCount } from './thompson-nfa.ts';

export type { Prefilter };

export interface FlexPattern {
  /** Matches the presentation form, ignoring case, in time linear in its length whatever the pattern: no ReDoS. */
  readonly matches: (text: string) => boolean;
  /** A condition that every matching text satisfies in lower case. */
  readonly prefilter: Prefilter;
}

const maxLength = 4096;
/** More than any pattern of that length has without counted repetitions. */
const maxStates = 8192;

/** Throws a Problem that names the field, what is wrong with the pattern, and at which character. */
export function compileFlexPattern(kind: 'regex' | 'glob', text: string, field = 'pattern'): FlexPattern {
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
  const searched = withoutOpenEnds(tree);
  const dfa = new LazyDfa(compileNfa(searched));
  return { matches: (candidate) => dfa.matches(candidate), prefilter: prefilterOf(searched) };
}
