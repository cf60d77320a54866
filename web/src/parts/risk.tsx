import { riskLevel } from '../data/risk-level.ts';

interface RiskProps {
  readonly score: number | null;
  readonly status: 'provisional' | 'full' | null;
  /** Also in writing. */
  readonly inWords?: boolean;
}

const bars = [1, 2, 3, 4];

/** Never by colour alone: a number, a word, and a meter of up to four bars. `~` marks a score that is still provisional. */
export function Risk({ score, status, inWords = false }: RiskProps) {
  const level = riskLevel(score);
  const word = status === 'provisional' ? `${level.word}, provisional` : level.word;
  // In a list the word is a label: text that is there but not seen costs a layout of its own in every row.
  const label = inWords ? {} : { role: 'img', 'aria-label': `risk ${score ?? 'unknown'}, ${word}` };
  return (
    <span className={`risk ${level.name}`} title={word} {...label}>
      <span className="meter" aria-hidden="true">
        {bars.map((bar) => (
          <i key={bar} className={bar <= level.bars ? 'on' : ''} />
        ))}
      </span>
      <b>
        {score ?? '–'}
        {status === 'provisional' && <sup aria-hidden="true">~</sup>}
      </b>
      {inWords && <span className="word">{word}</span>}
    </span>
  );
}
