/**
 * Sightings of domains on watchlists by our own sensors, one row per domain and sensor, shared by all accounts. The sightings of a domain are
 * counted once its past is read; until then it is pending. A domain that leaves all watchlists loses its sightings; passive DNS keeps them.
 */
import type { DomainSighting, Sensor } from '../../model/detect/sightings.ts';
import type { Sighting } from '../../model/dns/rrset.ts';

/** The sightings of one batch of observations. */
export interface SightingBatch {
  readonly sensor: Sensor;
  /** One per domain. */
  readonly sightings: readonly DomainSighting[];
  /** Batches are counted one after another: that before this one, as `countedBatch` returned it, and this one. */
  readonly from: number;
  readonly to: number;
}

/** What passive DNS has about a domain; undefined if there is nothing. */
export interface PastSighting {
  readonly domain: string;
  readonly past: Sighting | undefined;
}

/** How many distinct clients resolved a domain on a day, `2026-03-04`. */
export interface ClientCount {
  readonly domain: string;
  readonly day: string;
  readonly clients: number;
}

export interface SightingStore {
  /** Which sensor the observations of an import are of. Before they are added. */
  registerImport(importId: string, sensor: Sensor): Promise<void>;

  findSensorOfImport(importId: string): Promise<Sensor | undefined>;

  /** The sequence of the batch that was counted last; 0 if there is none. */
  countedBatch(): Promise<number>;

  /** Those of the domains whose sightings are counted. */
  findCountedDomains(domains: readonly string[]): Promise<ReadonlySet<string>>;

  /** Domains whose past is still to be read, in order of name, after the given name. */
  listPendingDomains(after: string, limit: number): Promise<readonly string[]>;

  /**
   * Counts a batch, with the `resolved` events of accounts that have a domain on a list: the first after it was discovered, watched or ignored.
   * All in one transaction. False, and nothing is counted, if the batch before it is not the one that was counted last.
   */
  addSightings(batch: SightingBatch, nowMs: number): Promise<boolean>;

  /**
   * What was observed up to the batch that was counted last. From then on the domains are counted. False, and nothing is changed, if another
   * batch was counted since. Domains that are no longer pending stay as they are.
   */
  addPast(past: readonly PastSighting[], countedBatch: number): Promise<boolean>;

  /** The greatest number of the latest day is kept. Returns the domains that have a sighting by dnstap; the others are not recorded. */
  recordClients(counts: readonly ClientCount[]): Promise<ReadonlySet<string>>;

  /** Deletes the numbers of clients of all domains. */
  forgetClients(): Promise<void>;
}
