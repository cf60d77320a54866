/**
 * Answers that tell of an error, on their way to two channels: 220 has every one of them, 221 has each name, type, class and
 * response code once an hour. Lines are collected in batches. While one is appended the next is filled, and when too many
 * wait whoever adds waits too, so memory stays within about three batches.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import type { DnsError } from '../../model/dns/dns-error.ts';
import { dnsnxLine, dnsobsLine } from '../../model/nmsg-errors.ts';
import type { Settings } from '../../model/settings.ts';
import { channelStream } from '../../model/stream-names.ts';
import type { Lines, StreamStore } from '../../store/stream-store.ts';
import { RecentKeys } from './recent-keys.ts';

const [everyErrorChannel, distinctErrorChannel] = [220, 221];
const windowMs = 3_600_000;
const keysMax = 200_000;
const batchLength = 1 << 20;
/** Batches that may be full at once: one being appended, one ready. */
const waitingMax = 2;
const writerPrefix = 'dns-errors:';
const marksKeptMs = 86_400_000;

export interface ErrorIntakeNeeds {
  readonly streams: Pick<StreamStore, 'append' | 'findMark' | 'removeIdleMarks'>;
  readonly clock: Clock;
  /** A channel that is not declared gets nothing. */
  readonly settings: Pick<Settings, 'batch'>;
}

/** Tidies up after processes that are gone. */
export async function openErrorIntake(needs: ErrorIntakeNeeds): Promise<ErrorIntake> {
  await needs.streams.removeIdleMarks(writerPrefix, needs.clock.now() - marksKeptMs);
  return new ErrorIntake(needs);
}

interface Batch {
  readonly number: number;
  readonly lines: readonly Lines[];
}

export class ErrorIntake {
  readonly #needs: ErrorIntakeNeeds;
  readonly #writer = `${writerPrefix}${randomUUID()}`;
  readonly #told = new RecentKeys(keysMax, windowMs);
  /** The lines of the batch that is being filled, by channel; only declared ones are in it. */
  readonly #texts = new Map<number, string>();
  #length = 0;
  /** Full batches; the first is being appended, and stays when that fails, to be tried again. */
  readonly #waiting: Batch[] = [];
  #head: Promise<void> | undefined;
  #mark: string | undefined;
  /** Numbers of batches: the last that is full, and the last that is durable. */
  #taken = 0;
  #durable = 0;

  constructor(needs: ErrorIntakeNeeds) {
    this.#needs = needs;
    for (const channel of [everyErrorChannel, distinctErrorChannel]) {
      if (Object.hasOwn(needs.settings.batch.channels, channel)) this.#texts.set(channel, '');
    }
  }

  /**
   * A promise when the store is behind; the error is then taken when it resolves, and must stay as it is until then. Where
   * it rejects the error was not taken.
   */
  add(error: DnsError): Promise<void> | undefined {
    if (this.#waiting.length >= waitingMax) return this.#appendHead().then(() => this.add(error));
    if (this.#texts.has(everyErrorChannel)) this.#put(everyErrorChannel, dnsobsLine(error));
    if (this.#texts.has(distinctErrorChannel) && this.#told.tell(keyOf(error), this.#needs.clock.now())) {
      this.#put(distinctErrorChannel, dnsnxLine(error));
    }
    if (this.#length < batchLength) return undefined;
    this.#close();
    // Whoever flushes next hears of a failure.
    this.#appendHead().catch(() => undefined);
    return undefined;
  }

  /** Resolves when all that was taken before is durable. What fails is tried again with the next call. */
  async flush(): Promise<void> {
    const wanted = this.#length > 0 ? this.#taken + 1 : this.#taken;
    while (this.#durable < wanted) {
      // While earlier ones cannot be appended, what comes is still collected in one batch.
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
    this.#taken += 1;
    this.#waiting.push({ number: this.#taken, lines });
  }

  /** Appends the first batch that waits, and then goes on with the others by itself. */
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

  /** What a disk that failed has kept after all is told by the mark, and not appended again. */
  async #appendOnce({ number, lines }: Batch): Promise<void> {
    const { streams, clock } = this.#needs;
    const to = String(number);
    for (;;) {
      const move = { writer: this.#writer, from: this.#mark, to };
      if (await streams.append(lines, clock.now(), move)) break;
      // The mark may also be gone, after a long time without errors.
      this.#mark = await streams.findMark(this.#writer);
      if (this.#mark === to) break;
    }
    this.#mark = to;
  }
}

function keyOf({ question: { name, type, class: questionClass }, message: { rcode } }: DnsError): string {
  const text = Buffer.from(name.buffer, name.byteOffset, name.length).toString('latin1');
  return `${rcode} ${type} ${questionClass} ${text}`;
}
