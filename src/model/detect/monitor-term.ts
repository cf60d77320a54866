/** The rule for the term of a monitor. */
import { visiblePattern, visibleRule } from '../visible-text.ts';

export const termPattern = '^(?=[^]*[\\p{L}\\p{N}])\\s*\\S[^]{1,126}\\S\\s*$';
export const termRule = 'must have 3 to 128 characters, at least one of them a letter or digit';

/** What is wrong with a term, or undefined. */
export function findTermFault(term: string): string | undefined {
  if (!new RegExp(termPattern, 'u').test(term)) return termRule;
  return new RegExp(visiblePattern, 'u').test(term) ? undefined : visibleRule;
}
