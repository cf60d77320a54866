/**
 * Imports the lines of a file into a channel. Invalid lines are reported by number and skipped; the rest is appended in batches,
 * each together with a producer mark (the number of the last line read), so that an interrupted import resumes after it and every
 * line is appended exactly once.
 */
import { findLineFault, isBlank } from '../model/channel-line.ts';
import { Problem } from '../model/problem.ts';
import { channelStream } from '../model/stream-names.ts';
import type { StreamStore } from '../store/stream-store.ts';
import { decompress } from './input/decompress.ts';
import { hasInvalidUtf8 } from './input/invalid-utf8.ts';
import { readLines } from './input/lines.ts';

const batchLength = 1 << 20;

export interface ChannelImport {
  readonly channel: number;
  readonly mimetype: string;
  /** The id under which the import can be resumed; undefined: it cannot. */
  readonly importId: string | undefined;
}

export interface ChannelCounts {
  readonly read: number;
  /** Lines appended by this run. */
  readonly appended: number;
  readonly malformed: number;
  /** Lines skipped because an earlier run had processed them. */
  readonly before: number;
}

export interface ChannelImportNeeds {
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark'>;
  /** The time of appended batches. */
  readonly now: () => number;
  readonly onFault: (position: string, reason: string) => void;
  /** Called after every chunk of lines. */
  readonly onProgress: (counts: ChannelCounts) => void;
}

export async function importChannel(
  bytes: AsyncIterable<Uint8Array>,
  target: ChannelImport,
  needs: ChannelImportNeeds,
): Promise<ChannelCounts> {
  const batches = new Batches(target, needs);
  const before = await batches.findLinesDone();
  let [read, malformed] = [0, 0];
  const counts = () => ({ read, malformed, appended: batches.appended, before: Math.min(before, read) });
  for await (const { firstNumber, lines } of readLines(decompress(bytes))) {
    read += lines.length;
    for (const [index, line] of lines.entries()) {
      const number = firstNumber + index;
      if (number <= before || (line !== undefined && isBlank(line))) continue;
      const fault = line === undefined ? 'is too long' : faultOf(line, target.mimetype);
      if (fault === undefined) batches.add(line as string);
      else {
        malformed += 1;
        needs.onFault(`line ${number}`, fault);
      }
    }
    if (batches.isFull) await batches.append(read);
    needs.onProgress(counts());
  }
  await batches.append(read);
  return counts();
}

function faultOf(line: string, mimetype: string): string | undefined {
  return hasInvalidUtf8(line) ? 'contains bytes that are not UTF-8' : findLineFault(line, mimetype);
}

class Batches {
  readonly #target: ChannelImport;
  readonly #needs: ChannelImportNeeds;
  #text = '';
  #lines = 0;
  #mark: string | undefined;
  #appended = 0;

  constructor(target: ChannelImport, needs: ChannelImportNeeds) {
    this.#target = target;
    this.#needs = needs;
  }

  /** Lines of the file that earlier runs processed. */
  async findLinesDone(): Promise<number> {
    const { importId } = this.#target;
    this.#mark =
      importId === undefined
        ? undefined
        : await this.#needs.streams.findProducerMark(this.#producer(importId));
    return Number(this.#mark ?? 0);
  }

  get appended(): number {
    return this.#appended;
  }

  get isFull(): boolean {
    return this.#text.length >= batchLength;
  }

  add(line: string): void {
    this.#text += `${line}\n`;
    this.#lines += 1;
  }

  /** `read`: the number of the last line that was read. */
  async append(read: number): Promise<void> {
    if (this.#lines === 0) return;
    const { channel, importId } = this.#target;
    const { streams, now } = this.#needs;
    const lines = [{ stream: channelStream(channel), bytes: Buffer.from(this.#text) }];
    const to = String(read);
    const move = importId === undefined ? [] : [{ producer: this.#producer(importId), from: this.#mark, to }];
    if (!(await streams.append(lines, now(), ...move))) {
      throw new Problem('already-exists', 'another import of the same lines is running');
    }
    this.#appended += this.#lines;
    this.#mark = to;
    this.#text = '';
    this.#lines = 0;
  }

  #producer(importId: string): string {
    return `import:${channelStream(this.#target.channel)}:${importId}`;
  }
}
