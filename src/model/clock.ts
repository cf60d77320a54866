/** The current time as a dependency. `main.ts` creates the real clock; tests set their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
