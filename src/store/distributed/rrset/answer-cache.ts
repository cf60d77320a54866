/** Short results of scans, kept as long as the state of the store is the same. */
import type { Row, Scan } from '../../rrset-store.ts';

const answersMax = 5000;
const answerBytesMax = 16_384;

export interface Answer {
  readonly rows: readonly Row[] | undefined;
  /** Called with the whole result. */
  readonly keep: (rows: readonly Row[]) => void;
}

export class AnswerCache {
  #state: unknown;
  readonly #rows = new Map<string, readonly Row[]>();

  /** Undefined where the result depends on the time. */
  open(scan: Scan, state: unknown): Answer | undefined {
    if (!scan.merged) return undefined;
    if (state !== this.#state) this.#rows.clear();
    this.#state = state;
    const key = keyOf(scan);
    return { rows: this.#rows.get(key), keep: (rows) => this.#keep(key, rows, state) };
  }

  #keep(key: string, rows: readonly Row[], state: unknown): void {
    if (state !== this.#state || bytesOf(rows) > answerBytesMax) return;
    if (this.#rows.size >= answersMax) {
      const [oldest] = this.#rows.keys();
      if (oldest !== undefined) this.#rows.delete(oldest);
    }
    this.#rows.set(key, rows);
  }
}

function keyOf({ selection, filter, bailiwick, after, skip }: Scan): string {
  return JSON.stringify([selection, filter, bailiwick, after, skip], (_, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
    return value instanceof Set ? [...(value as ReadonlySet<number>)] : value;
  });
}

function bytesOf(rows: readonly Row[]): number {
  let bytes = 0;
  for (const { rdata } of rows) for (const one of rdata) bytes += one.length;
  return bytes;
}
