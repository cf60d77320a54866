import { useEffect, useId, useRef } from 'react';

export interface HeatDay {
  /** `2026-03-04`, UTC. */
  readonly day: string;
  /** 0: nothing certain, which is drawn as a dot. */
  readonly value: number;
  readonly title: string;
}

interface HeatMapProps {
  readonly from: string;
  readonly to: string;
  /** Those of which something is known. */
  readonly days: readonly HeatDay[];
  readonly label: string;
}

const dayMs = 86_400_000;
const cell = 13;
const top = 16;
const levels = 4;
const mondayOf = (ms: number): number => ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs;
const month = new Intl.DateTimeFormat('en', { month: 'short', year: '2-digit', timeZone: 'UTC' });

/** A calendar with a column for each week, Monday on top. Who cannot see it needs a table beside it: the squares are one picture. */
export function HeatMap({ from, to, days, label }: HeatMapProps) {
  const scroller = useRef<HTMLElement>(null);
  const grid = useId();
  // The latest weeks first, where not all fit.
  useEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, []);
  const start = mondayOf(Date.parse(from));
  const weeks = Math.floor((Date.parse(to) - start) / (7 * dayMs)) + 1;
  const most = Math.max(1, ...days.map(({ value }) => value));
  // Logarithmic: one record and a thousand are both of interest.
  const levelOf = (value: number): number =>
    Math.max(1, Math.ceil((Math.log(value + 1) / Math.log(most + 1)) * levels));
  const months = Array.from({ length: weeks }, (_, week) => start + week * 7 * dayMs).flatMap((ms, week) => {
    const first = Array.from({ length: 7 }, (_, day) => ms + day * dayMs).find(
      (day) => new Date(day).getUTCDate() === 1,
    );
    return first === undefined ? [] : [{ week, text: month.format(first) }];
  });
  const step = Math.ceil(months.length / 24);
  return (
    <section className="scroll-x" ref={scroller} aria-label={label} tabIndex={0}>
      <svg className="heat-map" width={weeks * cell} height={top + 7 * cell} role="img" aria-label={label}>
        <pattern id={grid} width={cell} height={cell} y={top} patternUnits="userSpaceOnUse">
          <rect width={11} height={11} rx={2} className="level-0" />
        </pattern>
        <rect y={top} width={weeks * cell} height={7 * cell} fill={`url(#${grid})`} />
        {months
          .filter((_, index) => index % step === 0)
          .map(({ week, text }) => (
            <text key={week} x={week * cell} y={11}>
              {text}
            </text>
          ))}
        {days.map(({ day, value, title }) => {
          const index = Math.round((Date.parse(day) - start) / dayMs);
          const [x, y] = [Math.floor(index / 7) * cell, top + (index % 7) * cell];
          return value === 0 ? (
            <circle key={day} cx={x + 5.5} cy={y + 5.5} r={2} className="possible">
              <title>{title}</title>
            </circle>
          ) : (
            <rect key={day} x={x} y={y} width={11} height={11} rx={2} className={`level-${levelOf(value)}`}>
              <title>{title}</title>
            </rect>
          );
        })}
      </svg>
    </section>
  );
}
