/** What the supervisor of a server knows about one of its processes. */
export interface ProcessState {
  readonly role: 'api' | 'worker';
  /** Under which it reports its health: the same after a restart. */
  readonly name: string;
  /** Absent while it waits to be started again. */
  readonly pid?: number;
  /** `restarting`: it ended and will be started again after a pause. */
  readonly state: 'starting' | 'running' | 'restarting';
  /** How often it was started again. */
  readonly restarts: number;
  /** Since when it is in this state. */
  readonly sinceMs: number;
  /** How the last one ended, such as "was ended by SIGKILL". */
  readonly lastEnd?: string;
}

/** As users see it. `gone`: it has not reported for a while. `starting` and `restarting`: its supervisor starts it, for the first time or again. */
export const describedStates = ['working', 'starting', 'restarting', 'gone'] as const;
export type DescribedState = (typeof describedStates)[number];
