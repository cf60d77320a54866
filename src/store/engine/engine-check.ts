/** What was found out about a server that stores data. */
export interface EngineCheck {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** What to do; empty where all is well. */
  readonly advice: string;
}
