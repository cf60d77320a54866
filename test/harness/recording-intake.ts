import { EventEmitter, once } from 'node:events';
import type { Rrset } from '../../src/model/dns/rrset.ts';
import type { Intake } from '../../src/store/rrset-store.ts';

/** Keeps what it is given. A test may make it slow or broken by putting its own promise into `room` or `durability`. */
export class RecordingIntake implements Intake {
  readonly added: Rrset[] = [];
  durable = 0;
  flushes = 0;
  room: () => Promise<void> | undefined = () => undefined;
  durability: () => Promise<void> = () => Promise.resolve();
  readonly #events = new EventEmitter();

  add(observation: Rrset): Promise<void> | undefined {
    this.added.push(observation);
    this.#events.emit('change');
    return this.room();
  }

  async flush(): Promise<void> {
    const covered = this.added.length;
    this.flushes++;
    this.#events.emit('change');
    await this.durability();
    this.durable = covered;
    this.#events.emit('change');
  }

  finish(): Promise<void> {
    return this.flush();
  }

  /** Resolves as soon as this holds. */
  async until(holds: (intake: this) => boolean): Promise<void> {
    while (!holds(this)) await once(this.#events, 'change');
  }
}
