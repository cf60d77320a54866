/**
 * Calls of one iteration of the event loop, handled together, because a statement for several costs hardly more than one. Calls of the next iteration do not
 * wait for them.
 */
import type { HandleGroup } from './grouped-calls.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedCalls<Item, Result> {
  readonly #handle: HandleGroup<Item, Result>;
  readonly #sizeMax: number;
  #waiting: Waiting<Item, Result>[] = [];

  constructor(handle: HandleGroup<Item, Result>, sizeMax: number) {
    this.#handle = handle;
    this.#sizeMax = sizeMax;
  }

  call(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#handleAll());
      this.#waiting.push({ item, resolve, reject });
    });
  }

  #handleAll(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < all.length; at += this.#sizeMax) {
      const group = all.slice(at, at + this.#sizeMax);
      this.#handle(group.map(({ item }) => item)).then(
        (results) => {
          for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
        },
        (error) => {
          for (const { reject } of group) reject(error);
        },
      );
    }
  }
}
