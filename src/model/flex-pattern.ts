/** The pattern language of flexible search: what a user may write, and what the rest of the system gets of it. */
import { Automaton } from './flex/automaton.ts';
import { readGlob } from './flex/glob.ts';
import { PatternReader } from './flex/pattern-reader.ts';
import { withoutOpenEnds } from './flex/pattern-tree.ts';
import { compileProgram, stepCount } from './flex/program.ts';
import { readRegex } from './flex/regex.ts';
import { type TextNeeds, textNeeds } from './flex/text-needs.ts';
import { fieldProblem } from './problem.ts';

export type { TextNeeds };

export interface FlexPattern {
  /** On the presentation form, in any letter case; linear time whatever the pattern. */
  readonly matches: (text: string) => boolean;
  /** What a text must contain, in lower case, to match at all. */
  readonly needs: TextNeeds;
}

const maxLength = 4096;
/** More than any pattern of that length has unless it counts repetitions. */
const maxSteps = 8192;

/** Throws a Problem of the field that says what is wrong with the pattern and where. */
export function compileFlexPattern(kind: 'regex' | 'glob', text: string, field = 'pattern'): FlexPattern {
  if (text === '') throw fieldProblem('invalid-parameters', field, 'the pattern is empty');
  if (text.length > maxLength) {
    throw fieldProblem('invalid-parameters', field, `a pattern may have ${maxLength} characters at most`);
  }
  const reader = new PatternReader(text, field);
  const unprintable = text.search(/[^ -~]/);
  if (unprintable >= 0) throw reader.problem('only printable ASCII characters may be used', unprintable);

  const tree = kind === 'regex' ? readRegex(reader) : readGlob(reader);
  if (stepCount(tree) > maxSteps) {
    throw fieldProblem(
      'invalid-parameters',
      field,
      'the pattern is too large with its repetitions written out',
    );
  }
  const searched = withoutOpenEnds(tree);
  const automaton = new Automaton(compileProgram(searched));
  return { matches: (candidate) => automaton.matches(candidate), needs: textNeeds(searched) };
}
