import { sparklineWords } from '../words/parts.ts';

const width = 120;
const height = 24;

interface SparklineProps {
  readonly days: readonly number[];
  readonly label: string;
  readonly each?: 'day' | 'minute';
}

/** Numbers of consecutive days or minutes as a line; the numbers themselves are in its description. */
export function Sparkline({ days, label, each = 'day' }: SparklineProps) {
  const most = Math.max(1, ...days);
  const step = width / Math.max(1, days.length - 1);
  const points = days.map(
    (count, index) =>
      `${(index * step).toFixed(1)},${(height - 2 - (count / most) * (height - 4)).toFixed(1)}`,
  );
  const total = days.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      className="sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={sparklineWords[each](label, total, days.length, most)}
    >
      <title>{days.join(' ')}</title>
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
