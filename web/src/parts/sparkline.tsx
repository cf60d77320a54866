const width = 120;
const height = 24;

/** Numbers of consecutive days as a line; the numbers themselves are in its description. */
export function Sparkline({ days, label }: { days: readonly number[]; label: string }) {
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
      aria-label={`${label}: ${total.toLocaleString('en')} in ${days.length} days, at most ${most.toLocaleString('en')} a day`}
    >
      <title>{days.join(' ')}</title>
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
