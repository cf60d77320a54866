/**
 * The live segments, opened by this process. While the manifest is unchanged, getting them costs one read of its data
 * version.
 */
import { changeDetector } from '../database.ts';
import type { Manifest } from './manifest.ts';
import type { BlockCache } from './segment/block-cache.ts';
import { type ListedSegment, type TableName, tablePath } from './segment/segment-files.ts';
import { TableReader } from './segment/table-reader.ts';

const attemptsMax = 100;

export interface OpenSegment {
  /** As of when the segment was opened; it may have been published since. */
  readonly summary: ListedSegment;
  readonly forward: TableReader;
  readonly inverse: TableReader;
  readonly distinct: TableReader;
  readonly trigram: TableReader | undefined;
}

export class OpenSegments {
  readonly #directory: string;
  readonly #manifest: Manifest;
  readonly #cache: BlockCache;
  readonly #changed: () => boolean;
  #segments: readonly OpenSegment[] | undefined;

  constructor(directory: string, manifest: Manifest, cache: BlockCache) {
    this.#directory = directory;
    this.#manifest = manifest;
    this.#cache = cache;
    this.#changed = changeDetector(manifest.database);
  }

  /** The same array until something changes. Segments that were compacted away are closed, so do not keep it across an await. */
  current(): readonly OpenSegment[] {
    if (this.#segments && !this.#changed()) return this.#segments;
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#segments = this.#open(this.#manifest.list());
        return this.#segments;
      } catch (error) {
        // A segment was compacted away between reading the manifest and opening its files: read the manifest again.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt >= attemptsMax) throw error;
      }
    }
  }

  close(): void {
    for (const segment of this.#segments ?? []) closeSegment(segment);
    this.#segments = [];
  }

  #open(listed: readonly ListedSegment[]): readonly OpenSegment[] {
    if (this.#segments && isSame(this.#segments, listed)) return this.#segments;
    const before = new Map((this.#segments ?? []).map((segment) => [segment.summary.name, segment]));
    const opened: OpenSegment[] = [];
    try {
      for (const summary of listed) opened.push(before.get(summary.name) ?? this.#openSegment(summary));
    } catch (error) {
      for (const segment of opened) if (!before.has(segment.summary.name)) closeSegment(segment);
      throw error;
    }
    const kept = new Set(listed.map(({ name }) => name));
    for (const [name, segment] of before) if (!kept.has(name)) closeSegment(segment);
    return opened;
  }

  #openSegment(summary: ListedSegment): OpenSegment {
    const tables: TableReader[] = [];
    const open = (table: TableName) => {
      const reader = new TableReader(tablePath(this.#directory, summary.name, table), this.#cache);
      tables.push(reader);
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
      for (const table of tables) table.close();
      throw error;
    }
  }
}

/** The manifest also changes in ways that do not affect scans. */
function isSame(segments: readonly OpenSegment[], listed: readonly ListedSegment[]): boolean {
  if (segments.length !== listed.length) return false;
  return segments.every(({ summary }, index) => summary.name === listed[index]?.name);
}

function closeSegment(segment: OpenSegment): void {
  segment.forward.close();
  segment.inverse.close();
  segment.distinct.close();
  segment.trigram?.close();
}
