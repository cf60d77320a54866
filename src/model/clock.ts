/** Time is an argument. The real clock is made in `main.ts`; tests bring one that they set. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
