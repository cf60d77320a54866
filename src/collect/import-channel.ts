/**
 * From the lines of a file to a channel. What cannot be a line of it is told with its number and passed over; the rest is
 * appended in batches, each together with the number of the last line read, so that an import that was interrupted goes on
 * behind it and nothing is appended twice.
 */
import { faultOfLine, isBlank } from '../model/channel-line.ts';
import { Problem } from '../model/problem.ts';
import { channelStream } from '../model/stream-names.ts';
import type { StreamStore } from '../store/stream-store.ts';
import { readLines } from './rrset-formats/lines.ts';
import { hasLostBytes } from './rrset-formats/lost-bytes.ts';
import { plainBytes } from './rrset-formats/plain-bytes.ts';

const batchLength = 1 << 20;

export interface ChannelImport {
  readonly channel: number;
  readonly mimetype: string;
  /** Under which the import can be taken up again; without one it cannot. */
  readonly importId: string | undefined;
}

export interface ChannelCounts {
  readonly read: number;
  /** Lines of this import that are in the channel, those of earlier runs left out. */
  readonly appended: number;
  readonly malformed: number;
  /** Lines at the beginning that an earlier run had done with. */
  readonly before: number;
}

export interface ChannelImportNeeds {
  readonly streams: Pick<StreamStore, 'append' | 'findMark'>;
  /** The time at which a batch is appended. */
  readonly now: () => number;
  readonly onFault: (place: string, reason: string) => void;
  /** Called now and then. */
  readonly onProgress: (counts: ChannelCounts) => void;
}

export async function importChannel(
  bytes: AsyncIterable<Uint8Array>,
  target: ChannelImport,
  needs: ChannelImportNeeds,
): Promise<ChannelCounts> {
  const batches = new Batches(target, needs);
  const before = await batches.linesDone();
  let [read, malformed] = [0, 0];
  const counts = () => ({ read, malformed, appended: batches.appended, before: Math.min(before, read) });
  for await (const { firstNumber, lines } of readLines(plainBytes(bytes))) {
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
  return hasLostBytes(line) ? 'holds bytes that are not UTF-8' : faultOfLine(line, mimetype);
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

  /** How many lines of the file earlier runs have read to the end. */
  async linesDone(): Promise<number> {
    const { importId } = this.#target;
    this.#mark =
      importId === undefined ? undefined : await this.#needs.streams.findMark(this.#writer(importId));
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

  /** `read`: the number of the last line of the file that was looked at. */
  async append(read: number): Promise<void> {
    if (this.#lines === 0) return;
    const { channel, importId } = this.#target;
    const { streams, now } = this.#needs;
    const lines = [{ stream: channelStream(channel), bytes: Buffer.from(this.#text) }];
    const to = String(read);
    const move = importId === undefined ? [] : [{ writer: this.#writer(importId), from: this.#mark, to }];
    if (!(await streams.append(lines, now(), ...move))) {
      throw new Problem('already-exists', 'another import of the same lines is under way');
    }
    this.#appended += this.#lines;
    this.#mark = to;
    this.#text = '';
    this.#lines = 0;
  }

  #writer(importId: string): string {
    return `import:${channelStream(this.#target.channel)}:${importId}`;
  }
}
