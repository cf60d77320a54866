import { timelineWords as words } from '../../../words/campaigns/campaign-words.ts';
import { percentOf, type TimeAxis } from './time-axis.ts';
import { tickFormat } from './time-words.ts';

/** Columns between two times that are written down: about a hundred pixels. */
const columnsApart = 5;

export function AxisTicks({ axis, zone }: { axis: TimeAxis; zone: 'local' | 'utc' }) {
  const format = tickFormat(axis, zone);
  const count = Math.floor(axis.columns / columnsApart);
  return (
    <>
      {Array.from({ length: count + 1 }, (_, index) => {
        const ms = axis.startMs + index * columnsApart * axis.columnMs;
        // The last one would stand beside the axis.
        if (index > 0 && percentOf(ms, axis) > 94) return null;
        const text = format(ms);
        // Twice the same day: the line says enough.
        const isRepeated = index > 0 && text === format(ms - columnsApart * axis.columnMs);
        return (
          <span key={index} className="tick" style={{ left: `${percentOf(ms, axis)}%` }}>
            {!isRepeated && (index === 0 && axis.hasEarlier ? words.earlierTick(text) : text)}
          </span>
        );
      })}
    </>
  );
}
