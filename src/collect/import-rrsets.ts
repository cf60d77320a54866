/**
 * Imports RRset observations from a file. Malformed input is reported with its position and skipped. The same bytes give the same
 * sequence of observations, which makes imports repeatable.
 */
import type { Rrset, WireName } from '../model/dns/rrset.ts';
import { daySeconds } from '../model/durations.ts';
import type { Intake } from '../store/rrset-store.ts';
import { scanCapture } from './dnstap/capture-file.ts';
import { observationsOf } from './dnstap/observations-of.ts';
import { decompress } from './input/decompress.ts';
import { endOfLine, lineText, readWholeLines } from './input/lines.ts';
import { type LineFormat, lineFormats } from './rrset-formats/formats.ts';
import { PlainCofReader } from './rrset-formats/plain-cof.ts';
import type { Outcome } from './rrset-formats/rrset-format.ts';
import { WildcardFolding } from './wildcard-folding.ts';

export type RrsetFormat = LineFormat | 'dnstap';
export const rrsetFormats: readonly RrsetFormat[] = ['cof', 'dnstap', 'zeek', 'eve', 'nmsg-json', 'zone'];

export interface ImportOptions {
  readonly format: RrsetFormat;
  /** The zone of a zone file that does not name it. */
  readonly origin?: WireName;
  /** When a zone file was observed. */
  readonly seenSeconds: number;
  /** Observations more than a day after it are refused: the clock that made them was wrong. */
  readonly nowSeconds: number;
  readonly foldsWildcards: boolean;
}

export interface ImportCounts {
  /** Lines, or dnstap frames. */
  readonly read: number;
  readonly observations: number;
  readonly malformed: number;
}

export interface ImportNeeds {
  readonly intake: Pick<Intake, 'add' | 'addPacked'>;
  /** `position` is for example "line 17" or "byte 4711". */
  readonly onFault: (position: string, reason: string) => void;
  /** Called after every chunk of lines, or every 1000 frames. */
  readonly onProgress: (counts: ImportCounts) => void;
}

export async function importRrsets(
  bytes: AsyncIterable<Uint8Array>,
  options: ImportOptions,
  needs: ImportNeeds,
): Promise<ImportCounts> {
  const run = new ImportRun(options, needs);
  try {
    if (options.format === 'dnstap') await run.frames(decompress(bytes));
    else await run.lines(decompress(bytes), options.format);
  } catch (error) {
    throw new Error(`reading stopped: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return run.counts();
}

class ImportRun {
  readonly #options: ImportOptions;
  readonly #needs: ImportNeeds;
  readonly #folding: WildcardFolding | undefined;
  readonly #lastSecondsMax: number;
  #read = 0;
  #observations = 0;
  #malformed = 0;

  constructor(options: ImportOptions, needs: ImportNeeds) {
    this.#options = options;
    this.#needs = needs;
    this.#lastSecondsMax = options.nowSeconds + daySeconds;
    this.#folding = options.foldsWildcards ? new WildcardFolding() : undefined;
  }

  counts(): ImportCounts {
    return { read: this.#read, observations: this.#observations, malformed: this.#malformed };
  }

  async lines(bytes: AsyncIterable<Uint8Array>, format: LineFormat): Promise<void> {
    const { origin, seenSeconds } = this.#options;
    const reader = lineFormats[format]({ seenSeconds, ...(origin ? { origin } : {}) });
    // Folding has to see the names.
    const plain = format === 'cof' && !this.#folding ? new PlainCofReader(this.#lastSecondsMax) : undefined;
    for await (const lines of readWholeLines(bytes)) {
      if (lines === undefined) {
        this.#read += 1;
        this.#fault(`line ${this.#read}`, 'the line is too long');
        continue;
      }
      let at = 0;
      do {
        this.#read += 1;
        const plainEnd = plain ? plain.read(lines, at) : -1;
        const end = plainEnd < 0 ? endOfLine(lines, at) : plainEnd;
        const room =
          plain && plainEnd >= 0
            ? this.#addPacked(plain)
            : this.#handle(reader.line(lineText(lines, at, end)), () => `line ${this.#read}`);
        if (room) await room;
        at = end;
      } while (at < lines.length);
      this.#needs.onProgress(this.counts());
    }
    for (const outcome of reader.end?.() ?? []) await this.#handle(outcome, () => `line ${this.#read}`);
  }

  async frames(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const item of scanCapture(bytes)) {
      if (item.kind === 'fault') {
        this.#fault(`byte ${item.offset}`, `${item.reason}; the rest cannot be read`);
        continue;
      }
      this.#read += 1;
      const result = observationsOf(item.payload, this.#options.nowSeconds);
      if (result.outcome === 'malformed') this.#fault(`byte ${item.offset}`, `malformed ${result.reason}`);
      if (result.outcome === 'observed') await this.#add(result.rrsets);
      if (this.#read % 1000 === 0) this.#needs.onProgress(this.counts());
    }
  }

  #handle(outcome: Outcome, position: () => string): Promise<void> | undefined {
    if (outcome.kind === 'malformed') this.#fault(position(), outcome.reason);
    if (outcome.kind !== 'observations') return undefined;
    const ahead = outcome.observations.find(({ lastSeconds }) => lastSeconds > this.#lastSecondsMax);
    if (!ahead) return this.#add(outcome.observations);
    this.#fault(position(), `the time ${new Date(ahead.lastSeconds * 1000).toISOString()} is in the future`);
    return undefined;
  }

  #add(observations: readonly Rrset[]): Promise<void> | undefined {
    let room: Promise<void> | undefined;
    for (const observation of observations) {
      this.#observations += 1;
      const folded = this.#folding ? this.#folding.fold(observation) : observation;
      room = this.#needs.intake.add(folded) ?? room;
    }
    return room;
  }

  #addPacked({ bytes, length }: PlainCofReader): Promise<void> | undefined {
    this.#observations += 1;
    return this.#needs.intake.addPacked(bytes, length);
  }

  #fault(position: string, reason: string): void {
    this.#malformed += 1;
    this.#needs.onFault(position, reason);
  }
}
