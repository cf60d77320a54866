/** How popular domains are, by a list of the operator's that may be replaced at any time. While a new one is read the old one counts. */
import { stat } from 'node:fs/promises';
import { inForm } from '../../../model/record/text-forms.ts';
import { PopularityTable } from './popularity-table.ts';
import { linesOf, scanLinesOfFile } from './scan-lines-of-file.ts';

/** The file is looked at no more often than this. */
const lookMs = 60_000;
/** As long as public lists are, several times over. */
const namesMax = 4_000_000;

export class Popularity {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  #table: PopularityTable | undefined;
  #version = '';
  #lookedMs: number | undefined;
  #loading: Promise<void> | undefined;

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
  }

  /** Undefined where none could be read yet. */
  async findTable(nowMs: number): Promise<PopularityTable | undefined> {
    if (this.#lookedMs === undefined || Math.abs(nowMs - this.#lookedMs) >= lookMs) {
      this.#lookedMs = nowMs;
      this.#loading ??= this.#load()
        .catch(this.#onFailure)
        .finally(() => {
          this.#loading = undefined;
        });
    }
    if (!this.#table) await this.#loading;
    return this.#table;
  }

  async #load(): Promise<void> {
    const { mtimeMs, size } = await stat(this.#path);
    const version = `${mtimeMs} ${size}`;
    if (version === this.#version) return;
    this.#table = await readPopularity(this.#path);
    this.#version = version;
  }
}

/** Lines `rank,domain`; others are passed over. */
export async function readPopularity(path: string): Promise<PopularityTable> {
  const table = new PopularityTable();
  for await (const piece of scanLinesOfFile(path)) {
    for (const line of linesOf(piece)) {
      const [, rank, name = ''] = /^(\d{1,9}),(\S{1,253})$/.exec(line) ?? [];
      const form = inForm('host', name);
      if (Number(rank) > 0 && 'text' in form && form.text !== '') table.add(form.text, Number(rank));
    }
    if (table.size >= namesMax) break;
  }
  await table.finish();
  return table;
}
