/** What `main.ts` passes to commands. */
import type { Config, ConfigSources } from '../config.ts';
import type { Caller } from '../model/account/account.ts';
import type { Clock } from '../model/clock.ts';
import type { ProcessState } from '../model/health/process-state.ts';
import type { Settings } from '../model/settings/settings.ts';
import type { Progress } from '../pipeline/progress.ts';
import type { Backups } from '../store/backup.ts';
import type { StoreCopier } from '../store/copy/store-copier.ts';
import type { DatabaseCheck, DatabaseCheckResult } from '../store/damage.ts';
import type { Engines } from '../store/engine/engines.ts';
import type { Stores } from '../stores.ts';
import type { SupervisedServer } from '../supervisor/supervisor.ts';

/** The simulated Internet of the demonstration, and the settings that connect the server to it. */
export interface DemoWorld {
  readonly settings: Readonly<Record<string, string>>;
  /** Fictitious brands to protect. */
  readonly brands: readonly string[];
  /** The domains of the owners of those brands. */
  readonly ownDomains: readonly string[];
  stop(): Promise<void>;
}

export interface Service {
  /** The base URL that it listens on. */
  readonly url: string;
  /** Whether the web UI is there. */
  readonly servesWeb: boolean;
  readonly stores: Stores;
  progress(): Progress;
  /** The values of its metrics, for a process that shows them beside its own. */
  readonly metrics: () => Promise<readonly unknown[]>;
  /** Stops accepting connections, drains open requests, closes the stores. */
  stop(): Promise<void>;
}

export interface CliNeeds {
  readonly version: string;
  readonly clock: Clock;
  /** For what is no setting of a server: profiles, colours. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly readConfig: (sources: Pick<ConfigSources, 'file' | 'flags' | 'world'>) => Config;
  /** Without `create`, a directory without data is an error and is not modified. */
  readonly openStores: (settings: Settings, options: { readonly create: boolean }) => Promise<Stores>;
  /** Needs no store to be opened, so that it works where one cannot be. */
  readonly verifyDatabases: (settings: Settings, check: DatabaseCheck) => Promise<DatabaseCheckResult>;
  /** Needs no store to be opened either. */
  readonly loadBackups: () => Promise<Backups>;
  /** The servers of distributed stores; opens none of the stores. */
  readonly loadEngines: () => Promise<Engines>;
  /** Between a data directory and distributed stores. */
  readonly loadStoreCopier: () => Promise<StoreCopier>;
  /** Assistant tools over standard input and output, until the input ends. */
  readonly serveAssistant: (settings: Settings, stores: Stores, caller: Caller) => Promise<void>;
  readonly startWorld: () => Promise<DemoWorld>;
  readonly startService: (settings: Settings) => Promise<Service>;
  /** The service as processes of its own, which are not started yet; they load their code before `settings` is there. */
  readonly superviseService: (
    initial: Settings,
    settings: Promise<Settings>,
    onChange: (processes: readonly ProcessState[]) => void,
  ) => Promise<SupervisedServer>;
}
