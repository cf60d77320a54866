/** A time zone by its IANA name: its UTC offset at an instant, and the instant of a local time, daylight saving included. */
import { dayMs } from './durations.ts';

export class TimeZone {
  readonly #format: Intl.DateTimeFormat;

  /** Throws a RangeError for an unknown name. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** What is added to an instant for the local time. */
  offsetMs(instantMs: number): number {
    const parts = new Map(
      this.#format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const shownMs = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return shownMs - Math.floor(instantMs / 1000) * 1000;
  }

  /**
   * The instant of a local time, which is given as if it were UTC. An ambiguous one (end of daylight saving) is the first of the two, and
   * one that does not exist counts as later by what the clocks skip.
   */
  instantMs(localMs: number): number {
    return localMs - this.#localOffsetMs(localMs);
  }

  #localOffsetMs(localMs: number): number {
    const before = this.offsetMs(localMs - dayMs);
    if (this.offsetMs(localMs - before) === before) return before;
    const after = this.offsetMs(localMs + dayMs);
    return this.offsetMs(localMs - after) === after ? after : before;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    new TimeZone(name).offsetMs(0);
    return true;
  } catch {
    return false;
  }
}
