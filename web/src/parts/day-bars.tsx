import { number } from '../words/language.ts';
import { chartWords } from '../words/parts.ts';

export interface DaySeries {
  readonly name: string;
  /** One number per day. */
  readonly counts: readonly number[];
}

interface DayBarsProps {
  readonly label: string;
  /** As `2026-10-01`. */
  readonly days: readonly string[];
  /** The first is drawn behind the others. */
  readonly series: readonly DaySeries[];
}

const height = 96;
const step = 10;

/** Numbers of days as bars, with all of them in a table. */
export function DayBars({ label, days, series }: DayBarsProps) {
  const most = Math.max(1, ...series.flatMap(({ counts }) => counts));
  const width = Math.max(1, days.length) * step;
  return (
    <figure className="day-bars">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {series.map(({ name, counts }, place) =>
          counts.map((count, day) => {
            const tall = (count / most) * (height - 4);
            const inset = 1 + place * 1.5;
            return count === 0 ? null : (
              <rect
                key={`${name} ${day}`}
                className={`series-${place}`}
                x={day * step + inset}
                y={height - tall}
                width={step - 2 * inset}
                height={tall}
              >
                <title>{chartWords.bar(name, days[day] ?? '', count)}</title>
              </rect>
            );
          }),
        )}
      </svg>
      <figcaption>
        <span>{days[0]}</span>
        {series.length > 1 &&
          series.map(({ name }, place) => (
            <span key={name} className="legend">
              <i className={`series-${place}`} /> {name}
            </span>
          ))}
        <span>{days.at(-1)}</span>
      </figcaption>
      <details>
        <summary>{chartWords.showTable}</summary>
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">{chartWords.day}</th>
              {series.map(({ name }) => (
                <th scope="col" key={name} className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {series.map(({ name, counts }) => (
                  <td key={name} className="number">
                    {number(counts[index] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
