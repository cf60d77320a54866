/**
 * Counts the distinct clients that resolved a lookalike, for each day (UTC), if the settings ask for it. An address is hashed with a key
 * and then forgotten. Key and sketches are in memory alone and are erased when the day ends or the process does; what is stored is one number for
 * a domain. After a restart within a day counting begins anew, and the greater number stays.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { ClientSketch } from '../../model/detect/client-sketch.ts';
import { nameText } from '../../model/dns/name.ts';
import type { Rrset } from '../../model/dns/rrset.ts';
import { dayMs } from '../../model/durations.ts';
import { findRegistrableDomain } from '../../model/registrable-domain.ts';
import type { SightingStore } from '../../store/detect/sighting-store.ts';
import type { IsOwnClient } from './own-clients.ts';

export interface ClientCounterNeeds {
  readonly sightings: Pick<SightingStore, 'findCountedDomains' | 'recordClients'>;
  readonly clock: Clock;
  /** Whether these are our own queries, which do not count. */
  readonly isOwn: IsOwnClient;
  readonly onFailure: (error: unknown) => void;
}

const recordEveryMs = 5000;
/** A sketch has a kilobyte. Further lookalikes of a day are not counted. */
const sketchesMax = 10_000;
/** Domains that wait to be looked up, and hashes that wait with each. */
const unknownMax = 2000;
const waitingMax = 256;
/** Domains on no watchlist that are not looked up again for a while. */
const otherMax = 50_000;
const otherForMs = 60_000;

const recordTypes = { ns: 2, soa: 6 } as const;

export class ClientCounter {
  readonly #needs: ClientCounterNeeds;
  readonly #timer: NodeJS.Timeout;
  #key = randomBytes(32);
  #day: number;
  #sketches = new Map<string, ClientSketch>();
  readonly #changed = new Set<string>();
  #unknown = new Map<string, Uint8Array[]>();
  #others = new Set<string>();
  #othersSinceMs: number;
  #recording: Promise<void> = Promise.resolve();

  constructor(needs: ClientCounterNeeds) {
    this.#needs = needs;
    this.#othersSinceMs = needs.clock.now();
    this.#day = Math.floor(this.#othersSinceMs / dayMs);
    this.#timer = setInterval(() => void this.record(), recordEveryMs).unref();
  }

  /** What one client was answered. */
  add(rrsets: readonly Rrset[], client: Uint8Array): void {
    if (client.length !== 4 && client.length !== 16) return;
    if (Math.floor(this.#needs.clock.now() / dayMs) !== this.#day) this.#beginDay();
    let hash: Uint8Array | undefined;
    const seen = new Set<string>();
    for (const { owner, type } of rrsets) {
      if (type === recordTypes.ns || type === recordTypes.soa) continue;
      const domain = findRegistrableDomain(nameText(owner).slice(0, -1));
      if (domain === undefined || seen.has(domain) || this.#others.has(domain)) continue;
      seen.add(domain);
      if (!hash && this.#needs.isOwn(client)) return;
      hash ??= createHmac('sha256', this.#key).update(client).digest().subarray(0, 8);
      this.#addHash(domain, hash);
    }
  }

  #addHash(domain: string, hash: Uint8Array): void {
    const sketch = this.#sketches.get(domain);
    if (sketch) {
      if (sketch.add(hash)) this.#changed.add(domain);
      return;
    }
    const waiting = this.#unknown.get(domain);
    if (waiting) {
      if (waiting.length < waitingMax) waiting.push(hash);
    } else if (this.#unknown.size < unknownMax) this.#unknown.set(domain, [hash]);
  }

  /** Looks up what is new and stores the numbers that have changed, one call after another. */
  record(): Promise<void> {
    this.#recording = this.#recording.then(() => this.#record()).catch(this.#needs.onFailure);
    return this.#recording;
  }

  async #record(): Promise<void> {
    const { sightings, clock } = this.#needs;
    const nowMs = clock.now();
    if (Math.floor(nowMs / dayMs) !== this.#day) this.#beginDay();
    if (Math.abs(nowMs - this.#othersSinceMs) > otherForMs) {
      this.#others = new Set();
      this.#othersSinceMs = nowMs;
    }
    const day = this.#day;
    const unknown = this.#unknown;
    this.#unknown = new Map();
    const listed = unknown.size === 0 ? new Set() : await sightings.findCountedDomains([...unknown.keys()]);
    // Hashes of a day that has ended meanwhile mean nothing any more.
    if (day !== this.#day) return;
    for (const [domain, hashes] of unknown) {
      if (listed.has(domain)) this.#begin(domain, hashes);
      else if (this.#others.size < otherMax) this.#others.add(domain);
    }
    const counts = [...this.#changed].flatMap((domain) => {
      const sketch = this.#sketches.get(domain);
      return sketch ? [{ domain, day: dayText(day), clients: sketch.estimate() }] : [];
    });
    if (counts.length === 0) return;
    const stored = await sightings.recordClients(counts);
    // The others have no sighting yet: its batch is published a moment later.
    for (const { domain } of counts) if (stored.has(domain)) this.#changed.delete(domain);
  }

  #begin(domain: string, hashes: readonly Uint8Array[]): void {
    let sketch = this.#sketches.get(domain);
    if (!sketch) {
      if (this.#sketches.size >= sketchesMax) return;
      sketch = new ClientSketch();
      this.#sketches.set(domain, sketch);
    }
    for (const hash of hashes) if (sketch.add(hash)) this.#changed.add(domain);
  }

  /** Nothing of the day before can be computed again. */
  #beginDay(): void {
    this.#erase();
    this.#key = randomBytes(32);
    this.#day = Math.floor(this.#needs.clock.now() / dayMs);
  }

  #erase(): void {
    this.#key.fill(0);
    for (const sketch of this.#sketches.values()) sketch.erase();
    for (const hashes of this.#unknown.values()) for (const hash of hashes) hash.fill(0);
    this.#sketches = new Map();
    this.#unknown = new Map();
    this.#changed.clear();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.record();
    this.#erase();
  }
}

function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
