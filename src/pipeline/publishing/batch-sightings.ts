/**
 * Counts what sensors saw of domains on watchlists, batch by batch. The store moves to the next batch in the transaction that counts it, and a
 * batch is marked as published only afterwards: whichever process is killed when, each batch is counted once. Imports of other formats
 * than those of sensors are not counted: they may be observations of others.
 */
import { answeringZone, isAnswer } from '../../model/detect/answer.ts';
import { type DomainSighting, mergedSighting, type Sensor } from '../../model/detect/sightings.ts';
import { nameText } from '../../model/dns/name.ts';
import type { Sighting, WireName } from '../../model/dns/rrset.ts';
import { findRegistrableDomain } from '../../model/registrable-domain.ts';
import type { SightingStore } from '../../store/detect/sighting-store.ts';
import type { Row, UnpublishedBatch } from '../../store/rrset-store.ts';

export interface BatchSightingNeeds {
  readonly sightings: Pick<
    SightingStore,
    'findSensorOfImport' | 'countedBatch' | 'findCountedDomains' | 'addSightings'
  >;
}

/** Domains of a batch that are looked up at once; only those that are counted stay in memory. */
const domainsPerLookup = 1000;

export class BatchSightings {
  readonly #needs: BatchSightingNeeds;
  readonly #sensor: Sensor;
  readonly #from: number;
  readonly #sequence: number;
  readonly #counted = new Map<string, Sighting>();
  #unknown = new Map<string, Sighting>();
  #owner: WireName | undefined;
  #domain: string | undefined;
  #zone = '';

  /** Undefined if nothing of the batch is to be counted, or if that was done before. */
  static async open(
    { sequence, importId }: UnpublishedBatch,
    needs: BatchSightingNeeds,
  ): Promise<BatchSightings | undefined> {
    const { sightings } = needs;
    const sensor = importId === undefined ? 'dnstap' : await sightings.findSensorOfImport(importId);
    if (sensor === undefined) return undefined;
    const from = await sightings.countedBatch();
    return from === sequence ? undefined : new BatchSightings(needs, { sensor, from, sequence });
  }

  private constructor(
    needs: BatchSightingNeeds,
    { sensor, from, sequence }: { sensor: Sensor; from: number; sequence: number },
  ) {
    this.#needs = needs;
    this.#sensor = sensor;
    this.#from = from;
    this.#sequence = sequence;
  }

  /** Rows of one owner follow one another. A promise to await before the next row where many domains are to be looked up. */
  add(row: Row): Promise<void> | undefined {
    if (row.origin !== 'sensor') return undefined;
    const domain = this.#domainOf(row.owner);
    if (domain === undefined || !isAnswer(row, this.#zone)) return undefined;
    const known = this.#counted.get(domain);
    if (known) this.#counted.set(domain, mergedSighting(known, row));
    else this.#unknown.set(domain, mergedSighting(this.#unknown.get(domain), row));
    return this.#unknown.size >= domainsPerLookup ? this.#lookUp() : undefined;
  }

  /** The domains that were seen. False, and nothing is counted, if another process has counted this batch or a later one. */
  async commit(nowMs: number): Promise<readonly string[] | false> {
    await this.#lookUp();
    const sightings = Array.from(
      this.#counted,
      ([domain, sighting]): DomainSighting => ({ domain, ...sighting }),
    );
    const batch = { sensor: this.#sensor, sightings, from: this.#from, to: this.#sequence };
    const isCounted = await this.#needs.sightings.addSightings(batch, nowMs);
    return isCounted && sightings.map(({ domain }) => domain);
  }

  async #lookUp(): Promise<void> {
    if (this.#unknown.size === 0) return;
    const found = await this.#needs.sightings.findCountedDomains([...this.#unknown.keys()]);
    for (const domain of found) {
      const sighting = this.#unknown.get(domain);
      if (sighting) this.#counted.set(domain, mergedSighting(this.#counted.get(domain), sighting));
    }
    this.#unknown = new Map();
  }

  #domainOf(owner: WireName): string | undefined {
    if (this.#owner && Buffer.compare(this.#owner, owner) === 0) return this.#domain;
    this.#owner = owner;
    const domain = findRegistrableDomain(nameText(owner).slice(0, -1));
    if (domain !== undefined && domain !== this.#domain) this.#zone = answeringZone(domain);
    this.#domain = domain;
    return domain;
  }
}
