/**
 * Writes the findings of many domains to the stores in one batch, because one write costs as much as a hundred. Feed lines are appended first:
 * a crash in between publishes them twice rather than never.
 */
import type { Clock } from '../../model/clock.ts';
import type { RawAnswer } from '../../model/evidence/raw-answer.ts';
import type { OutgoingRequest } from '../../model/opsec/outgoing-request.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { DomainStore, RecordUpdate, UpsertCounts } from '../../store/domain-store.ts';
import type { RawAnswerLimits, RawAnswerStore } from '../../store/evidence/raw-answer-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { RequestLog } from './request-log.ts';

/** Of one domain. */
export interface Findings {
  readonly updates: readonly RecordUpdate[];
  /** Lines of the `domainrdap` feed. */
  readonly lines: readonly string[];
  /** What servers answered; none where answers are not kept. */
  readonly answers: readonly RawAnswer[];
  /** What was asked, of whom and from where. */
  readonly requests: readonly OutgoingRequest[];
}

export interface WriteNeeds {
  readonly domains: Pick<DomainStore, 'upsert'>;
  readonly streams: Pick<StreamStore, 'append'>;
  readonly clock: Clock;
  /** A batch of this many is written without waiting for more. */
  readonly domainsMax: number;
  readonly onWritten: (counts: UpsertCounts) => void;
  readonly rawAnswers: Pick<RawAnswerStore, 'saveAnswers'>;
  readonly rawLimits: RawAnswerLimits;
  readonly requestLog: Pick<RequestLog, 'write'>;
  /** Error callback: that answers could not be kept costs no findings. */
  readonly onFailure: (error: unknown) => void;
}

interface Waiting extends Findings {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const flushMs = 300;
/** Of lines and of answers. */
const bytesMax = 1 << 20;

export class BatchedWrites {
  readonly #needs: WriteNeeds;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: WriteNeeds) {
    this.#needs = needs;
  }

  /** Durable when it resolves. */
  write(findings: Findings): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...findings, resolve, reject });
      for (const line of findings.lines) this.#bytes += line.length;
      for (const { bytes } of findings.answers) this.#bytes += bytes.length;
      if (this.#waiting.length >= this.#needs.domainsMax || this.#bytes >= bytesMax) void this.#write();
      else this.#timer ??= setTimeout(() => void this.#write(), flushMs);
    });
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#bytes = 0;
    const batch = this.#waiting.splice(0);
    try {
      await this.#keep(batch.flatMap(({ answers }) => answers));
      await this.#log(batch.flatMap(({ requests }) => requests));
      await this.#append(batch.flatMap(({ lines }) => lines));
      if (await this.#upsertAll(batch)) return;
      for (const one of batch) await this.#upsertOne(one);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #keep(answers: readonly RawAnswer[]): Promise<void> {
    if (answers.length === 0) return;
    const { rawAnswers, rawLimits, onFailure } = this.#needs;
    await rawAnswers.saveAnswers(answers, rawLimits).catch(onFailure);
  }

  async #log(requests: readonly OutgoingRequest[]): Promise<void> {
    await this.#needs.requestLog.write(requests);
  }

  async #append(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const { streams, clock } = this.#needs;
    const stream = feedStream('domainrdap');
    await streams.append([{ stream, bytes: Buffer.from(lines.join('')) }], clock.now());
  }

  /** False where an update cannot be written: then each domain is written alone, and only the bad one fails. */
  async #upsertAll(batch: readonly Waiting[]): Promise<boolean> {
    try {
      await this.#upsert(batch.flatMap(({ updates }) => updates));
    } catch {
      return false;
    }
    for (const { resolve } of batch) resolve();
    return true;
  }

  async #upsertOne({ updates, resolve, reject }: Waiting): Promise<void> {
    await this.#upsert(updates).then(resolve, reject);
  }

  async #upsert(updates: readonly RecordUpdate[]): Promise<void> {
    if (updates.length > 0) this.#needs.onWritten(await this.#needs.domains.upsert(updates));
  }
}
