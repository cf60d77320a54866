import { riskLevel } from '../data/risk-level.ts';
import { riskWords } from '../words/parts.ts';

interface RiskProps {
  readonly score: number | null;
  readonly status: 'provisional' | 'full' | null;
  /** Also in writing. */
  readonly inWords?: boolean;
}

/**
 * Never by colour alone: a number, a word, and a meter of up to four bars. `~` marks a score that is still provisional. Meter and mark are drawn
 * by the style sheet: a list has many of them.
 */
export function Risk({ score, status, inWords = false }: RiskProps) {
  const { name, word } = riskLevel(score);
  const isProvisional = status === 'provisional';
  const said = isProvisional ? riskWords.provisional(word) : word;
  // In a list the word is a label: text that is there but not seen costs a layout of its own in every row.
  const label = inWords ? {} : { role: 'img', 'aria-label': riskWords.spoken(score, said) };
  return (
    <span className={isProvisional ? `risk ${name} provisional` : `risk ${name}`} title={said} {...label}>
      <b>{score ?? '–'}</b>
      {inWords && <span className="word">{said}</span>}
    </span>
  );
}
