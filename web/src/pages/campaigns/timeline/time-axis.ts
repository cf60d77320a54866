/** The time that a timeline covers, in columns wide enough to be pointed at. */

export interface TimeAxis {
  readonly startMs: number;
  readonly endMs: number;
  readonly columns: number;
  readonly columnMs: number;
  /** Something happened before the axis begins; the first column has it. */
  readonly hasEarlier: boolean;
}

const hourMs = 60 * 60 * 1000;
const weekMs = 7 * 24 * hourMs;

/**
 * From the first of `core` to the last time of all. Times outside `core`, such as registrations, may be years older: the axis begins at most as
 * long before the first of `core` as that and the last lie apart, so that an old domain does not push everything else into a corner.
 */
export function timeAxis(core: readonly number[], others: readonly number[], columns: number): TimeAxis {
  const first = least(core.length > 0 ? core : others);
  const last = greatest([...core, ...others]);
  const earliest = least([...core, ...others]);
  const startMs = Math.max(earliest, first - Math.max(greatest([...core, first]) - first, weekMs));
  const endMs = Math.max(last, startMs + hourMs);
  return { startMs, endMs, columns, columnMs: (endMs - startMs) / columns, hasEarlier: earliest < startMs };
}

const least = (times: readonly number[]): number => times.reduce((one, other) => Math.min(one, other));
const greatest = (times: readonly number[]): number => times.reduce((one, other) => Math.max(one, other));

export function columnOf(ms: number, { startMs, columns, columnMs }: TimeAxis): number {
  return Math.min(columns - 1, Math.max(0, Math.floor((ms - startMs) / columnMs)));
}

/** From 0 to 100. */
export function percentOf(ms: number, { startMs, endMs }: TimeAxis): number {
  return Math.min(100, Math.max(0, ((ms - startMs) / (endMs - startMs)) * 100));
}
