/** What `serve` and the processes that it supervises send to each other, as JSON over the channel that Node opens between parent and child. */
import type { ProcessState } from '../model/health/process-state.ts';
import type { Settings } from '../model/settings/settings.ts';

export const supervisedRoles = ['api', 'worker'] as const;
export type SupervisedRole = (typeof supervisedRoles)[number];

/** Values of metrics as the library of the registry has them; the supervisor only passes them on. */
export type MetricFamilies = readonly unknown[];

/** Counters of the pipeline since its process started. */
export type Counters = Readonly<Record<string, number>>;

export interface StartOrder {
  readonly settings: Settings;
  /** Under which the process reports its health: the same after every restart. */
  readonly name: string;
  readonly restarts: number;
}

export interface FirstScreen {
  /** Flags that commands need to work on the same data. */
  readonly where: string;
  /** Of the demonstration. */
  readonly world?: { readonly brands: readonly string[]; readonly ownDomains: readonly string[] };
}

/** An error that ended a process, as far as the command line shows it. */
export interface Failure {
  readonly message: string;
  /** Of a `Problem`. */
  readonly problem?: string;
  /** Of an error of the system, which explains itself. */
  readonly systemCode?: string;
  readonly stack?: string;
}

export type ToProcess =
  | ({ readonly kind: 'start' } & StartOrder)
  | ({ readonly kind: 'print-first-screen' } & FirstScreen)
  | { readonly kind: 'processes'; readonly processes: readonly ProcessState[] }
  | { readonly kind: 'ping' }
  | { readonly kind: 'read-metrics'; readonly id: number }
  | { readonly kind: 'worker-metrics'; readonly id: number; readonly families: MetricFamilies | undefined }
  | { readonly kind: 'stop' };

export type FromProcess =
  /** The stores are open: another process may open them without doing the same work at the same time. */
  | { readonly kind: 'opened' }
  | { readonly kind: 'started'; readonly url: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'printed' }
  /** Everything is stored and closed; the process has only to end. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'pong'; readonly counters: Counters }
  | { readonly kind: 'metrics'; readonly id: number; readonly families: MetricFamilies | undefined }
  | { readonly kind: 'ask-worker-metrics'; readonly id: number };
