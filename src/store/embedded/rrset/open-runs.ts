/** The runs of the store as this process has them open. Reading them again costs a look at the manifest's version. */

import { changeDetector } from '../database.ts';
import type { BlockCache } from './block-cache.ts';
import type { Manifest } from './manifest.ts';
import { PartReader } from './part-reader.ts';
import { type ListedRun, type PartName, partPath } from './run-files.ts';

const attemptsMax = 100;

export interface OpenRun {
  /** As it was when the run was opened; whether it is told may have changed since. */
  readonly summary: ListedRun;
  readonly forward: PartReader;
  readonly inverse: PartReader;
  readonly distinct: PartReader;
  readonly trigram: PartReader | undefined;
}

export class OpenRuns {
  readonly #directory: string;
  readonly #manifest: Manifest;
  readonly #cache: BlockCache;
  readonly #changed: () => boolean;
  #runs: readonly OpenRun[] | undefined;

  constructor(directory: string, manifest: Manifest, cache: BlockCache) {
    this.#directory = directory;
    this.#manifest = manifest;
    this.#cache = cache;
    this.#changed = changeDetector(manifest.database);
  }

  /** The same array as long as nothing has changed. Runs that are gone are closed, so use them before the next await. */
  current(): readonly OpenRun[] {
    if (this.#runs && !this.#changed()) return this.#runs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#runs = this.#open(this.#manifest.list());
        return this.#runs;
      } catch (error) {
        // A run that was merged away between reading its name and opening it; the manifest knows better by now.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt >= attemptsMax) throw error;
      }
    }
  }

  close(): void {
    for (const run of this.#runs ?? []) closeRun(run);
    this.#runs = [];
  }

  #open(listed: readonly ListedRun[]): readonly OpenRun[] {
    if (this.#runs && isSame(this.#runs, listed)) return this.#runs;
    const before = new Map((this.#runs ?? []).map((run) => [run.summary.name, run]));
    const opened: OpenRun[] = [];
    try {
      for (const summary of listed) opened.push(before.get(summary.name) ?? this.#openRun(summary));
    } catch (error) {
      for (const run of opened) if (!before.has(run.summary.name)) closeRun(run);
      throw error;
    }
    const kept = new Set(listed.map(({ name }) => name));
    for (const [name, run] of before) if (!kept.has(name)) closeRun(run);
    return opened;
  }

  #openRun(summary: ListedRun): OpenRun {
    const parts: PartReader[] = [];
    const open = (part: PartName) => {
      const reader = new PartReader(partPath(this.#directory, summary.name, part), this.#cache);
      parts.push(reader);
      return reader;
    };
    try {
      return {
        summary,
        forward: open('forward'),
        inverse: open('inverse'),
        distinct: open('distinct'),
        trigram: summary.hasTrigrams ? open('trigram') : undefined,
      };
    } catch (error) {
      for (const part of parts) part.close();
      throw error;
    }
  }
}

/** The manifest also changes in ways that no scan can see. */
function isSame(runs: readonly OpenRun[], listed: readonly ListedRun[]): boolean {
  if (runs.length !== listed.length) return false;
  return runs.every(({ summary }, index) => summary.name === listed[index]?.name);
}

function closeRun(run: OpenRun): void {
  run.forward.close();
  run.inverse.close();
  run.distinct.close();
  run.trigram?.close();
}
