/** Formats the risk of one domain, scored with stored data, as a JSON line and as text for a terminal. */
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import type { RiskContribution } from '../../model/risk/assessment.ts';
import type { ExplainedAssessment } from '../../product/risk/assess.ts';
import { colouredScore, reasonText, signedPoints, titleOf } from './risk-text.ts';

export function storedLine(explained: ExplainedAssessment, withReasons: boolean): string {
  const { domain, status, risk, contributions } = explained;
  return JSON.stringify({
    domain,
    risk_score: risk.risk_score,
    risk_score_status: status,
    components: risk.components,
    evidence: risk.components.flatMap(({ evidence = [] }) => evidence),
    ...(withReasons ? { contributions: contributions.map(onLine) } : {}),
  });
}

function onLine({ component, code, reason, value, evidence, points }: RiskContribution) {
  return { component, code, reason, value: value ?? null, evidence: evidence ?? null, points };
}

/** Every component with its reasons, the strongest first. */
export function storedText({ domain, status, risk, contributions }: ExplainedAssessment): string {
  const lines = risk.components.map(({ name, risk_score, threats = [], evidence = [] }) => {
    const details = [threats.join(', '), evidence.length > 0 ? `by ${evidence.join(', ')}` : ''].filter(
      Boolean,
    );
    const head = `     ${colouredScore(risk_score, 3)}  ${escapeForTerminal([name, ...details].join('  '))}`;
    const own = contributions.filter(({ component }) => component === name);
    return [head, ...own.map(contributionText)].join('\n');
  });
  return [`${colouredScore(risk.risk_score, 3)}  ${titleOf(domain)}  ${status}`, ...lines].join('\n');
}

function contributionText(one: RiskContribution): string {
  const points = signedPoints(one.points, one.evidence === undefined).padStart(4);
  return `          ${points}  ${escapeForTerminal(reasonText(one))}`;
}
