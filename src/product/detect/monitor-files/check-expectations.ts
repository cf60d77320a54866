/** The tests in files of monitors: which domains a monitor finds, and which it does not. */
import { type FoundExclusion, findExclusion } from '../../../model/detect/exclusions.ts';
import { Matcher } from '../../../model/lookalike/matcher.ts';
import { explain } from '../explanation.ts';
import type { DeclaredMonitor, Expectation } from './declared-monitor.ts';

export interface CheckedExpectation extends Expectation {
  readonly monitor: DeclaredMonitor;
  readonly isMet: boolean;
  /** What the monitor does with the domain, and why. */
  readonly explanation: string;
}

export function checkExpectations(monitors: readonly DeclaredMonitor[]): readonly CheckedExpectation[] {
  return monitors.flatMap((monitor) => {
    const { term, matchSubstringVariations, expectations } = monitor;
    if (expectations.length === 0) return [];
    const matcher = new Matcher([{ text: term, substringVariations: matchSubstringVariations }]);
    return expectations.map((expectation) => {
      const { isFound, explanation } = find(expectation, monitor, matcher);
      return { ...expectation, monitor, isMet: isFound === expectation.isMatch, explanation };
    });
  });
}

function find(
  { domain, nameServers }: Expectation,
  monitor: DeclaredMonitor,
  matcher: Matcher,
): { isFound: boolean; explanation: string } {
  const [match] = matcher.match(domain);
  if (!match) return { isFound: false, explanation: 'It resembles the term in no way that monitors know.' };
  const excluded = findExclusion(monitor, [domain, match.name], nameServers);
  return excluded
    ? { isFound: false, explanation: exclusionText(excluded) }
    : { isFound: true, explanation: explain(match) };
}

function exclusionText({ by, exclusion }: FoundExclusion): string {
  return `It is excluded by the ${by === 'text' ? 'text' : 'name servers'} ${exclusion}.`;
}
