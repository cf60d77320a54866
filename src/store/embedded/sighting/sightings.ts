/** Counts sightings, and notifies the accounts that have the domain on a list. */
import type { DomainSighting, Sensor } from '../../../model/detect/sightings.ts';
import type { Sighting } from '../../../model/dns/rrset.ts';
import { resolvedDetail } from '../../detect/rows/sighting-rows.ts';
import type { PastSighting, SightingBatch } from '../../detect/sighting-store.ts';
import type { Database } from '../database.ts';
import { Counters } from '../detect/counters.ts';
import { type EventSubject, Events } from '../detect/events.ts';

export class Sightings {
  readonly #counters: Counters;
  readonly #events: Events;
  readonly #add;
  readonly #remove;
  readonly #isCounted;
  readonly #setCounted;
  readonly #unnotified;
  readonly #setNotified;

  constructor(database: Database) {
    this.#counters = new Counters(database);
    this.#events = new Events(database);
    this.#add = database.prepare(
      `insert into sighting (domain, sensor, first_seconds, last_seconds, count)
       values (:domain, :sensor, :firstSeconds, :lastSeconds, :count) on conflict do update set
         first_seconds = min(first_seconds, :firstSeconds), last_seconds = max(last_seconds, :lastSeconds), count = count + :count`,
    );
    this.#remove = database.prepare('delete from sighting where domain = ?');
    this.#isCounted = database
      .prepare('select 1 from sighted_domain where domain = ? and counted = 1')
      .pluck();
    this.#setCounted = database.prepare(
      'update sighted_domain set counted = 1 where domain = ? and counted = 0',
    );
    // Once for each decision; what was resolved before the decision does not count.
    this.#unnotified = database.prepare(
      `select number, id, account, name, state from domain where name = :domain and listed = 1 and matched = 1
         and (resolved_event_ms is null or resolved_event_ms < assigned_ms)
         and :lastSeconds * 1000 >= ifnull(assigned_ms, 0)`,
    );
    this.#setNotified = database.prepare('update domain set resolved_event_ms = ? where number = ?');
  }

  isCounted(domain: string): boolean {
    return this.#isCounted.get(domain) !== undefined;
  }

  addBatch({ sensor, sightings, from, to }: SightingBatch, nowMs: number): boolean {
    if (this.#counters.get('sightings') !== from) return false;
    for (const sighting of sightings) {
      if (!this.isCounted(sighting.domain)) continue;
      this.#put(sighting.domain, sensor, sighting);
      this.#notify(sensor, sighting, nowMs);
    }
    this.#counters.set('sightings', to);
    return true;
  }

  addPast(past: readonly PastSighting[], countedBatch: number): boolean {
    if (this.#counters.get('sightings') !== countedBatch) return false;
    for (const { domain, past: sighting } of past) {
      if (this.#setCounted.run(domain).changes === 0) continue;
      this.#remove.run(domain);
      if (sighting) this.#put(domain, 'passive-dns', sighting);
    }
    return true;
  }

  #put(domain: string, sensor: Sensor, { firstSeconds, lastSeconds, count }: Sighting): void {
    this.#add.run({ domain, sensor, firstSeconds, lastSeconds, count });
  }

  #notify(sensor: Sensor, sighting: DomainSighting, nowMs: number): void {
    const { domain, lastSeconds } = sighting;
    for (const subject of this.#unnotified.all({ domain, lastSeconds }) as EventSubject[]) {
      this.#events.append('resolved', subject, nowMs, resolvedDetail(subject.state, sensor, sighting));
      this.#setNotified.run(nowMs, subject.number);
    }
  }
}
