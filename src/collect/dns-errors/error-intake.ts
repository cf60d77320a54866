/**
 * DNS error responses on their way to two channels: 220 has every error, 221 has each name, type, class and RCODE once an hour.
 * Lines are appended in batches: one is filled while another is appended. Backpressure limits memory to about three batches.
 */

import { randomUUID } from 'node:crypto';
import { builtInChannels } from '../../model/built-in-channels.ts';
import type { Clock } from '../../model/clock.ts';
import type { DnsError } from '../../model/dns/dns-error.ts';
import { dayMs, hourMs } from '../../model/durations.ts';
import { dnsnxLine, dnsobsLine } from '../../model/nmsg/nmsg-errors.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { Lines, StreamStore } from '../../store/stream-store.ts';
import { RecentKeys } from './recent-keys.ts';

const { errors: everyErrorChannel, distinctErrors: distinctErrorChannel } = builtInChannels;
const windowMs = hourMs;
const keysMax = 200_000;
const batchLength = 1 << 20;
/** Full batches: one being appended, one ready. */
const waitingMax = 2;
const producerPrefix = 'dns-errors:';
const marksKeptMs = dayMs;

export interface ErrorIntakeNeeds {
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark' | 'removeIdleProducerMarks'>;
  readonly clock: Clock;
  /** Channels that are not declared receive nothing. */
  readonly settings: Pick<Settings, 'batch'>;
}

/** Deletes producer marks of processes that have ended. */
export async function openErrorIntake(needs: ErrorIntakeNeeds): Promise<ErrorIntake> {
  await needs.streams.removeIdleProducerMarks(producerPrefix, needs.clock.now() - marksKeptMs);
  return new ErrorIntake(needs);
}

interface Batch {
  readonly number: number;
  readonly lines: readonly Lines[];
}

export class ErrorIntake {
  readonly #needs: ErrorIntakeNeeds;
  readonly #producer = `${producerPrefix}${randomUUID()}`;
  readonly #recent = new RecentKeys(keysMax, windowMs);
  /** Lines of the current batch, by channel; declared channels only. */
  readonly #texts = new Map<number, string>();
  #length = 0;
  /** Full batches. The first is being appended; it stays after a failure and is retried. */
  readonly #waiting: Batch[] = [];
  #head: Promise<void> | undefined;
  #mark: string | undefined;
  /** Numbers of the last full batch and of the last durable one. */
  #full = 0;
  #durable = 0;

  constructor(needs: ErrorIntakeNeeds) {
    this.#needs = needs;
    for (const channel of [everyErrorChannel, distinctErrorChannel]) {
      if (Object.hasOwn(needs.settings.batch.channels, channel)) this.#texts.set(channel, '');
    }
  }

  /**
   * Backpressure: a promise when the store is behind. The error is added when it resolves, and must not be modified before; it is
   * not added where the promise rejects.
   */
  add(error: DnsError): Promise<void> | undefined {
    if (this.#waiting.length >= waitingMax) return this.#appendHead().then(() => this.add(error));
    if (this.#texts.has(everyErrorChannel)) this.#put(everyErrorChannel, dnsobsLine(error));
    if (
      this.#texts.has(distinctErrorChannel) &&
      this.#recent.addIfNew(keyOf(error), this.#needs.clock.now())
    ) {
      this.#put(distinctErrorChannel, dnsnxLine(error));
    }
    if (this.#length < batchLength) return undefined;
    this.#close();
    // The next flush throws the failure.
    this.#appendHead().catch(() => undefined);
    return undefined;
  }

  /** Resolves when everything added before is durable. A failed append is retried by the next call. */
  async flush(): Promise<void> {
    const wanted = this.#length > 0 ? this.#full + 1 : this.#full;
    while (this.#durable < wanted) {
      // While earlier batches cannot be appended, new lines collect in one batch.
      if (this.#waiting.length === 0) this.#close();
      await this.#appendHead();
    }
  }

  #put(channel: number, line: string): void {
    this.#texts.set(channel, `${this.#texts.get(channel)}${line}`);
    this.#length += line.length;
  }

  #close(): void {
    const lines: Lines[] = [];
    for (const [channel, text] of this.#texts) {
      if (text !== '') lines.push({ stream: channelStream(channel), bytes: Buffer.from(text) });
      this.#texts.set(channel, '');
    }
    this.#length = 0;
    this.#full += 1;
    this.#waiting.push({ number: this.#full, lines });
  }

  /** Appends the first full batch, then continues with the others in the background. */
  #appendHead(): Promise<void> {
    this.#head ??= this.#append().finally(() => {
      this.#head = undefined;
    });
    return this.#head;
  }

  async #append(): Promise<void> {
    const first = this.#waiting[0];
    if (!first) return;
    await this.#appendOnce(first);
    this.#durable = first.number;
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#appendHead().catch(() => undefined));
  }

  /** Idempotent: after a failure the producer mark says whether the batch was appended after all. */
  async #appendOnce({ number, lines }: Batch): Promise<void> {
    const { streams, clock } = this.#needs;
    const to = String(number);
    for (;;) {
      const move = { producer: this.#producer, from: this.#mark, to };
      if (await streams.append(lines, clock.now(), move)) break;
      // The mark may have been removed after a long time without errors.
      this.#mark = await streams.findProducerMark(this.#producer);
      if (this.#mark === to) break;
    }
    this.#mark = to;
  }
}

function keyOf({ question: { name, type, class: questionClass }, message: { rcode } }: DnsError): string {
  const text = Buffer.from(name.buffer, name.byteOffset, name.length).toString('latin1');
  return `${rcode} ${type} ${questionClass} ${text}`;
}
