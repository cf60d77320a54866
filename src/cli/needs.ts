/** What commands get from `main.ts`. */
import type { Config, ConfigSources } from '../config.ts';
import type { Clock } from '../model/clock.ts';
import type { Settings } from '../model/settings.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import type { DomainStore } from '../store/domain-store.ts';
import type { JobStore } from '../store/job-store.ts';
import type { RrsetStore } from '../store/rrset-store.ts';
import type { StreamStore } from '../store/stream-store.ts';
import type { UsageStore } from '../store/usage-store.ts';
import type { WatchlistStore } from '../store/watchlist-store.ts';

export interface Stores {
  readonly accounts: AccountStore;
  readonly usage: UsageStore;
  readonly rrsets: RrsetStore;
  readonly streams: StreamStore;
  readonly archives: ArchiveStore;
  readonly domains: DomainStore;
  readonly watchlist: WatchlistStore;
  readonly jobs: JobStore;
  /** What links to downloads are signed with. */
  readonly linkKey: Buffer;
  close(): Promise<void>;
}

export interface Service {
  /** Where it answers. */
  readonly url: string;
  readonly stores: Stores;
  /** Stops accepting, lets requests under way end, closes the stores. */
  stop(): Promise<void>;
}

export interface CliNeeds {
  readonly version: string;
  readonly clock: Clock;
  readonly readConfig: (sources: Pick<ConfigSources, 'file' | 'flags'>) => Config;
  /** Without `create`, a directory that holds no data is a mistake and stays as it is. */
  readonly openStores: (settings: Settings, options: { readonly create: boolean }) => Promise<Stores>;
  readonly startService: (settings: Settings) => Promise<Service>;
}
