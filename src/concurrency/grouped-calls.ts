/**
 * Group commit: items that arrive in one iteration of the event loop, or while those before them are being handled, are handled together,
 * because that takes hardly longer than one.
 */
interface Pending<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Gives the results in the order of the items. If it fails, all of them fail. */
export type HandleGroup<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export class GroupedCalls<Item, Result> {
  readonly #handle: HandleGroup<Item, Result>;
  readonly #sizeMax: number;
  #pending: Pending<Item, Result>[] = [];
  #handling: Promise<void> | undefined;

  constructor(handle: HandleGroup<Item, Result>, sizeMax: number = Number.POSITIVE_INFINITY) {
    this.#handle = handle;
    this.#sizeMax = sizeMax;
  }

  call(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ item, resolve, reject });
      this.#handling ??= new Promise((done) => {
        setImmediate(() => void this.#handleAll().finally(done));
      });
    });
  }

  /** Resolves when all calls are handled. */
  async finish(): Promise<void> {
    await this.#handling;
  }

  async #handleAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const group = this.#pending.splice(0, this.#sizeMax);
      try {
        const results = await this.#handle(group.map(({ item }) => item));
        for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    // Set synchronously after finding nothing pending, so that the next call starts a new loop.
    this.#handling = undefined;
  }
}
