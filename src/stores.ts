/**
 * The set of all stores. An adapter provides one function that opens the whole set, such as `store/embedded/open-stores.ts`; only
 * `main.ts` and tests choose an adapter.
 */
import type { AccountStore } from './store/account-store.ts';
import type { ArchiveStore } from './store/archive-store.ts';
import type { DecisionStore } from './store/decision-store.ts';
import type { InvestigationStore } from './store/desk/investigation-store.ts';
import type { BlocklistStore } from './store/detect/blocklist-store.ts';
import type { CampaignStore } from './store/detect/campaign-store.ts';
import type { OpsecStore } from './store/detect/opsec-store.ts';
import type { SharingStore } from './store/detect/sharing-store.ts';
import type { SightingStore } from './store/detect/sighting-store.ts';
import type { SuggestionStore } from './store/detect/suggestion-store.ts';
import type { DomainStore } from './store/domain-store.ts';
import type { StoreFault } from './store/engine/store-fault.ts';
import type { EscalationStore } from './store/escalation-store.ts';
import type { EventStore } from './store/event-store.ts';
import type { CaseStore } from './store/evidence/case-store.ts';
import type { RawAnswerStore } from './store/evidence/raw-answer-store.ts';
import type { FreeSpace } from './store/free-space.ts';
import type { HealthStore } from './store/health-store.ts';
import type { ImageStore } from './store/image-store.ts';
import type { JobStore } from './store/job-store.ts';
import type { LeaseStore } from './store/lease/lease-store.ts';
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
  readonly sightings: SightingStore;
  readonly opsec: OpsecStore;
  readonly suggestions: SuggestionStore;
  readonly campaigns: CampaignStore;
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
  readonly leases: LeaseStore;
  readonly names: NameStore;
  readonly risks: RiskStore;
  readonly images: ImageStore;
  readonly rawAnswers: RawAnswerStore;
  readonly cases: CaseStore;
  readonly investigations: InvestigationStore;
  readonly health: HealthStore;
  readonly freeSpace: FreeSpace;
  /** What they lack at the moment, found out anew now and then. Absent where they are files, which are there or the server does not start. */
  findFaults?(): Promise<readonly StoreFault[]>;
  /** Bytes of streams that wait to be moved to the object store. Absent where there is none. */
  findUnsealedBytes?(): Promise<number>;
  /** What the stores themselves need every minute, by one worker at a time. Absent where nothing is. */
  maintain?(nowMs: number, signal: AbortSignal): Promise<void>;
  /** Signs download links. */
  readonly linkKey: Buffer;
  close(): Promise<void>;
}
