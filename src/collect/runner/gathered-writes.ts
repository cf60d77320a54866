/**
 * What rounds have found, on its way to the stores: that of many domains together, because one write costs as much as a hundred. Lines of
 * feeds go first, so that whoever is killed in between tells twice rather than never.
 */
import type { Clock } from '../../model/clock.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { DomainStore, RecordUpdate, UpsertCounts } from '../../store/domain-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';

/** Of one domain. */
export interface Findings {
  readonly updates: readonly RecordUpdate[];
  /** Of the feed of registration data. */
  readonly lines: readonly string[];
}

export interface WriteNeeds {
  readonly domains: Pick<DomainStore, 'upsert'>;
  readonly streams: Pick<StreamStore, 'append'>;
  readonly clock: Clock;
  /** As many are written without waiting for more. */
  readonly domainsMax: number;
  readonly onWritten: (counts: UpsertCounts) => void;
}

interface Waiting extends Findings {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const gatherMs = 150;
const lineBytesMax = 1 << 20;

export class GatheredWrites {
  readonly #needs: WriteNeeds;
  #waiting: Waiting[] = [];
  #lineBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: WriteNeeds) {
    this.#needs = needs;
  }

  /** Durable when it resolves. */
  put(findings: Findings): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...findings, resolve, reject });
      for (const line of findings.lines) this.#lineBytes += line.length;
      if (this.#waiting.length >= this.#needs.domainsMax || this.#lineBytes >= lineBytesMax)
        void this.#write();
      else this.#timer ??= setTimeout(() => void this.#write(), gatherMs);
    });
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lineBytes = 0;
    const together = this.#waiting.splice(0);
    try {
      await this.#append(together.flatMap(({ lines }) => lines));
      if (await this.#upsertAll(together)) return;
      for (const one of together) await this.#upsertOne(one);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  async #append(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const { streams, clock } = this.#needs;
    const stream = feedStream('domainrdap');
    await streams.append([{ stream, bytes: Buffer.from(lines.join('')) }], clock.now());
  }

  /** False where something is in the way: one that cannot be written does not keep the others from it. */
  async #upsertAll(together: readonly Waiting[]): Promise<boolean> {
    try {
      await this.#upsert(together.flatMap(({ updates }) => updates));
    } catch {
      return false;
    }
    for (const { resolve } of together) resolve();
    return true;
  }

  async #upsertOne({ updates, resolve, reject }: Waiting): Promise<void> {
    await this.#upsert(updates).then(resolve, reject);
  }

  async #upsert(updates: readonly RecordUpdate[]): Promise<void> {
    if (updates.length > 0) this.#needs.onWritten(await this.#needs.domains.upsert(updates));
  }
}
