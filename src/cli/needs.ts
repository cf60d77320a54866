/** What commands get from `main.ts`. */
import type { Config, ConfigSources } from '../config.ts';
import type { Clock } from '../model/clock.ts';
import type { Settings } from '../model/settings.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import type { DomainStore } from '../store/domain-store.ts';
import type { ImageStore } from '../store/image-store.ts';
import type { JobStore } from '../store/job-store.ts';
import type { NameStore } from '../store/name-store.ts';
import type { RiskStore } from '../store/risk-store.ts';
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
  readonly names: NameStore;
  readonly risks: RiskStore;
  readonly images: ImageStore;
  /** What links to downloads are signed with. */
  readonly linkKey: Buffer;
  close(): Promise<void>;
}

/** A small Internet for demonstrations, and the settings that lead into it. */
export interface DemoWorld {
  readonly settings: Readonly<Record<string, string>>;
  /** Fictitious names to protect. */
  readonly brands: readonly string[];
  /** Of whoever owns those. */
  readonly ownDomains: readonly string[];
  stop(): Promise<void>;
}

/** How far the service has come since its start. */
export interface Progress {
  readonly discovered: number;
  readonly looked: number;
  readonly lookalikes: number;
  readonly pictures: number;
  readonly rrsets: number;
}

export interface Service {
  /** Where it answers. */
  readonly url: string;
  readonly stores: Stores;
  progress(): Progress;
  /** Stops accepting, lets requests under way end, closes the stores. */
  stop(): Promise<void>;
}

export interface CliNeeds {
  readonly version: string;
  readonly clock: Clock;
  readonly readConfig: (sources: Pick<ConfigSources, 'file' | 'flags' | 'world'>) => Config;
  /** Without `create`, a directory that holds no data is a mistake and stays as it is. */
  readonly openStores: (settings: Settings, options: { readonly create: boolean }) => Promise<Stores>;
  readonly startWorld: () => Promise<DemoWorld>;
  readonly startService: (settings: Settings) => Promise<Service>;
}
