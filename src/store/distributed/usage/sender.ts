import { randomUUID } from 'node:crypto';

/**
 * Numbers the calls of a store. The database keeps the outcome of the last one: a call that is repeated, because its connection was lost,
 * has its effect once. There is one under way at a time.
 */
export class Sender {
  readonly id = randomUUID();
  #number = 0;

  nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }
}
