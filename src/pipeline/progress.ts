/** Counters since the start of the service. */
export interface Progress {
  /** Domains new to us. */
  readonly discovered: number;
  readonly collected: number;
  readonly lookalikes: number;
  readonly screenshots: number;
  readonly rrsets: number;
}
