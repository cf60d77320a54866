/** A name with the marks that say why it matched, as the web UI draws them: exchanged characters, gaps, letters of other scripts. */
import { domainToASCII } from 'node:url';
import { type NamePiece, namePieces, spokenSteps } from '../../../model/triage/match-marks.ts';
import { codePoint } from '../../../model/triage/unseen-characters.ts';
import { type Line, type Span, span } from './styled-line.ts';
import type { TriageRow } from './triage-api.ts';

type Named = Pick<TriageRow, 'domain' | 'match'>;

/** The first match, where it is about this domain or a host below it. */
function matchOf({ domain, match: [first] }: Named): TriageRow['match'][number] | undefined {
  return first && (first.host === domain || first.host.endsWith(`.${domain}`)) ? first : undefined;
}

/** The name that matched: the domain, or a host below it. */
export function hostOf(row: Named): string {
  return matchOf(row)?.host ?? row.domain;
}

export function nameSpans(row: Named): Line {
  return namePieces(hostOf(row), matchOf(row)).map(pieceSpan);
}

function pieceSpan({ kind, text, script }: NamePiece): Span {
  if (kind === 'gap') return span('‸', 'bold', 'yellow');
  if (kind === 'boxed') return span(text, 'reverse');
  if (script !== undefined) return span(text, 'bold', 'underline', 'magenta');
  return kind === 'put' ? span(text, 'bold', 'underline', 'yellow') : span(text);
}

/** As the DNS has it, where the name is written in other characters. */
export function punycodeOf(host: string): string | undefined {
  return /^[\x20-\x7e]*$/.test(host) ? undefined : domainToASCII(host) || undefined;
}

/** What the marks mean, in words: `n left out, o became 0`; letters of other scripts with their code points. */
export function marksInWords(row: Named): string {
  const steps = matchOf(row)?.steps ?? [];
  const foreign = namePieces(hostOf(row), matchOf(row))
    .filter(({ script }) => script !== undefined)
    .map(({ text, script }) => `${text} is ${codePoint(text)}, ${script}`);
  return [...(steps.length > 0 ? [spokenSteps(steps)] : []), ...new Set(foreign)].join('; ');
}
