import { quotaWords as words } from '../../../words/account.ts';

const [width, height] = [300, 40];

interface DayBarsProps {
  readonly name: string;
  /** `YYYY-MM-DD`, the oldest first. */
  readonly days: readonly string[];
  readonly counts: readonly number[];
}

/** One bar for each day; its number on hover, and all numbers in the table beside it. */
export function DayBars({ name, days, counts }: DayBarsProps) {
  const most = Math.max(1, ...counts);
  const step = width / counts.length;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      className="day-bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.chart(name, total, Math.max(0, ...counts))}
    >
      {counts.map((count, index) => {
        // A day with a single request is still seen.
        const tall = count === 0 ? 1 : Math.max(3, (count / most) * height);
        return (
          <rect
            key={days[index]}
            className={count === 0 ? 'none' : undefined}
            x={index * step}
            y={height - tall}
            width={step * 0.8}
            height={tall}
          >
            <title>{words.barTitle(days[index] ?? '', count)}</title>
          </rect>
        );
      })}
    </svg>
  );
}
