/** Popularity ranks from a file of the operator, reloaded when the file changes. The old table serves while a new one is loaded. */

import { stat } from 'node:fs/promises';
import { minuteMs } from '../../../model/durations.ts';
import { normaliseText } from '../../../model/record/normalise-text.ts';
import { scanFileLines, splitLines } from '../../input/scan-file-lines.ts';
import { PopularityTable } from './popularity-table.ts';

/** Minimum time between two checks of the file. */
const checkMs = minuteMs;
/** Several times the length of public lists. */
const namesMax = 4_000_000;

export class Popularity {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  #table: PopularityTable | undefined;
  #version = '';
  #checkedMs: number | undefined;
  #loading: Promise<void> | undefined;

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
  }

  /** Undefined while no table could be loaded yet. */
  async findTable(nowMs: number): Promise<PopularityTable | undefined> {
    if (this.#checkedMs === undefined || Math.abs(nowMs - this.#checkedMs) >= checkMs) {
      this.#checkedMs = nowMs;
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

/** Lines `rank,domain`; others are skipped. */
export async function readPopularity(path: string): Promise<PopularityTable> {
  const table = new PopularityTable();
  for await (const chunk of scanFileLines(path)) {
    for (const line of splitLines(chunk)) {
      const [, rank, name = ''] = /^(\d{1,9}),(\S{1,253})$/.exec(line) ?? [];
      const form = normaliseText('host', name);
      if (Number(rank) > 0 && 'text' in form && form.text !== '') table.add(form.text, Number(rank));
    }
    if (table.size >= namesMax) break;
  }
  await table.finish();
  return table;
}
