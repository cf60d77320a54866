/** Several domains on a terminal: a line for each, with the strongest reason for its score. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { RiskContribution } from '../../model/risk/assessment.ts';
import { findComponent, threatComponent } from '../../model/risk/domain-risk.ts';
import { threats } from '../../model/risk/threat.ts';
import type { ExplainedAssessment } from '../../product/risk/assess.ts';
import { colouredScore, reasonText, shownName, titleOf } from './risk-text.ts';

/** In the order given, with the columns aligned. */
export function summaryLines(all: readonly ExplainedAssessment[]): readonly string[] {
  const width = Math.max(0, ...all.map(({ domain }) => shownName(domain).length));
  return all.map((explained) => {
    const { domain, risk } = explained;
    const padding = ' '.repeat(width - shownName(domain).length);
    const reason = strongestOf(explained);
    return [
      colouredScore(risk.risk_score, 3),
      `${titleOf(domain)}${padding}`,
      ...scoresOf(explained),
      ...(reason ? [escapeForTerminal(reasonText(reason))] : []),
    ].join('  ');
  });
}

/** The score of a domain without links to bad ones. */
const proximityMin = 1;

function scoresOf({ risk }: ExplainedAssessment): readonly string[] {
  const proximity = findComponent(risk, 'proximity') ?? proximityMin;
  return [
    ...threats.flatMap((threat) => {
      const score = findComponent(risk, threatComponent(threat));
      return score === undefined ? [] : [`${threat} ${colouredScore(score, 2)}`];
    }),
    ...(proximity > proximityMin ? [`proximity ${colouredScore(proximity, 2)}`] : []),
  ];
}

/** Of the component with the highest score; undefined if nothing counts against the domain. */
function strongestOf({ risk, contributions }: ExplainedAssessment): RiskContribution | undefined {
  const highest = risk.components.filter(({ risk_score }) => risk_score === risk.risk_score);
  const names = new Set(highest.map(({ name }) => name));
  const [first] = contributions
    .filter(({ component, evidence }) => names.has(component) && evidence !== undefined)
    .toSorted((a, b) => b.points - a.points);
  return first && (first.points > 0 || first.component === 'zerolist') ? first : undefined;
}
