/** Makes evidence packs in a thread, a few at a time. */
import { WorkerClient } from '../../concurrency/worker-client.ts';
import { Problem } from '../../model/problem.ts';
import type { PackFacts } from './pack-facts.ts';
import type { MadePack, PackCalls } from './pack-worker.ts';
import { signingKey } from './signing-key.ts';

/** Each takes the thread for some seconds, and its files are in memory. */
const waitingMax = 4;

export class PackMaker {
  readonly #key: Buffer;
  readonly #worker = new WorkerClient<PackCalls, 'pack'>({
    file: new URL('./pack-worker.ts', import.meta.url),
    workerData: undefined,
    owner: 'evidence packs',
    finish: [],
  });
  #waiting = 0;

  constructor(linkKey: Buffer) {
    this.#key = signingKey(linkKey).export({ type: 'pkcs8', format: 'der' });
  }

  /** `gather` reads the files into memory, so it is called only when there is room for one more. */
  async make(gather: () => Promise<PackFacts>): Promise<MadePack> {
    if (this.#waiting >= waitingMax)
      throw new Problem('try-again', 'other evidence packs are being made; try again in some seconds');
    this.#waiting += 1;
    try {
      return await this.#worker.run('pack', 'makePack', await gather(), this.#key);
    } finally {
      this.#waiting -= 1;
    }
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
