/**
 * The set of all stores. An adapter provides one function that opens the whole set, such as `store/embedded/open-stores.ts`; only
 * `main.ts` and tests choose an adapter.
 */
import type { AccountStore } from './store/account-store.ts';
import type { ArchiveStore } from './store/archive-store.ts';
import type { DecisionStore } from './store/decision-store.ts';
import type { InvestigationStore } from './store/desk/investigation-store.ts';
import type { BlocklistStore } from './store/detect/blocklist-store.ts';
import type { SharingStore } from './store/detect/sharing-store.ts';
import type { DomainStore } from './store/domain-store.ts';
import type { EscalationStore } from './store/escalation-store.ts';
import type { EventStore } from './store/event-store.ts';
import type { FreeSpace } from './store/free-space.ts';
import type { HealthStore } from './store/health-store.ts';
import type { ImageStore } from './store/image-store.ts';
import type { JobStore } from './store/job-store.ts';
import type { MonitorStore } from './store/monitor-store.ts';
import type { NameStore } from './store/name-store.ts';
import type { PersonStore } from './store/person/person-store.ts';
import type { SessionStore } from './store/person/session-store.ts';
import type { SignOnStore } from './store/person/sign-on-store.ts';
import type { RiskStore } from './store/risk-store.ts';
import type { RrsetStore } from './store/rrset-store.ts';
import type { StreamStore } from './store/stream-store.ts';
import type { TriageStore } from './store/triage-store.ts';
import type { UsageStore } from './store/usage-store.ts';
import type { WatchlistStore } from './store/watchlist-store.ts';

/** The stores of Detect. An adapter opens them together, because one transaction may write to several of them. */
export interface DetectStores {
  readonly monitors: MonitorStore;
  readonly watchlist: WatchlistStore;
  readonly escalations: EscalationStore;
  readonly blocklists: BlocklistStore;
  readonly sharing: SharingStore;
  readonly decisions: DecisionStore;
  readonly triage: TriageStore;
  readonly events: EventStore;
}

export interface Stores extends DetectStores {
  readonly accounts: AccountStore;
  readonly people: PersonStore;
  readonly sessions: SessionStore;
  readonly signOn: SignOnStore;
  readonly usage: UsageStore;
  readonly rrsets: RrsetStore;
  readonly streams: StreamStore;
  readonly archives: ArchiveStore;
  readonly domains: DomainStore;
  readonly jobs: JobStore;
  readonly names: NameStore;
  readonly risks: RiskStore;
  readonly images: ImageStore;
  readonly investigations: InvestigationStore;
  readonly health: HealthStore;
  readonly freeSpace: FreeSpace;
  /** Signs download links. */
  readonly linkKey: Buffer;
  close(): Promise<void>;
}
