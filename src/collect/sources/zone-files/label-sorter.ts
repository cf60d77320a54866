/**
 * External merge sort of labels in bounded memory (https://en.wikipedia.org/wiki/External_sorting): small sorted blocks in memory,
 * merged into sorted runs on disk. A zone file that is sorted already, as most are, makes one run.
 */
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { scanLabels, writeLabels } from './label-file.ts';
import { mergeSorted, type SortedLabels } from './merge-sorted.ts';

/** A block is sorted in a few milliseconds. */
const blockLabels = 4096;
const blocksMax = 128;

export class LabelSorter {
  readonly #directory: string;
  readonly #blocksMax: number;
  readonly #runs: string[] = [];
  #blocks: string[][] = [];
  #block: string[] = [];
  #file: FileHandle | undefined;
  #last = '';

  /** The sorter owns the directory. */
  constructor(directory: string, blocks = blocksMax) {
    this.#directory = directory;
    this.#blocksMax = blocks;
  }

  async add(labels: readonly string[]): Promise<void> {
    for (const label of labels) this.#block.push(label);
    if (this.#block.length < blockLabels) return;
    this.#closeBlock();
    if (this.#blocks.length >= this.#blocksMax) await this.#writeRun();
  }

  /** All labels in order, without duplicates. Call after the last `add`. */
  async sorted(): Promise<SortedLabels> {
    this.#closeBlock();
    await this.#file?.close();
    this.#file = undefined;
    return mergeSorted([...this.#runs.map(scanLabels), ...this.#blocks.map(inMemory)]);
  }

  /** Deletes the files of the sorter. */
  async remove(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    await rm(this.#directory, { recursive: true, force: true });
  }

  #closeBlock(): void {
    if (this.#block.length > 0) this.#blocks.push(this.#block.sort());
    this.#block = [];
  }

  /** Blocks that continue the last run are appended to it. */
  async #writeRun(): Promise<void> {
    const heads = this.#blocks.map(([head]) => head as string);
    const follows = heads.every((head) => head >= this.#last);
    const file = this.#file && follows ? this.#file : await this.#nextRun();
    const last = this.#blocks.map((block) => block.at(-1) as string);
    this.#last = last.reduce((greatest, label) => (label > greatest ? label : greatest), '');
    await writeLabels(file, mergeSorted(this.#blocks.map(inMemory)));
    this.#blocks = [];
  }

  async #nextRun(): Promise<FileHandle> {
    await this.#file?.close();
    await mkdir(this.#directory, { recursive: true });
    const path = join(this.#directory, `run-${this.#runs.length}`);
    this.#runs.push(path);
    this.#file = await open(path, 'w');
    return this.#file;
  }
}

async function* inMemory(block: readonly string[]): SortedLabels & AsyncGenerator<readonly string[]> {
  yield block;
}
