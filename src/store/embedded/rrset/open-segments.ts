/**
 * The live segments, opened by this process. While the manifest is unchanged, getting them costs one read of its data
 * version. A segment that lacks a file, or has a damaged one, is opened too: only what needs that file fails.
 */

import { type LiveSegments, type OpenSegment, tablesOf } from '../../rrset/open-segment.ts';
import type { BlockCache } from '../../rrset/segment/block-cache.ts';
import {
  checksumOf,
  type ListedSegment,
  type TableName,
  tablePath,
} from '../../rrset/segment/segment-files.ts';
import type { TableFile } from '../../rrset/segment/table-file.ts';
import { TableReader } from '../../rrset/segment/table-reader.ts';
import { changeDetector } from '../database.ts';
import type { Manifest } from './manifest.ts';

const attemptsMax = 100;

export class OpenSegments implements LiveSegments {
  readonly #directory: string;
  readonly #manifest: Manifest;
  readonly #cache: BlockCache;
  readonly #changed: () => boolean;
  #segments: readonly OpenSegment[] | undefined;
  /** Whether the manifest has changed since the segments were opened, and could not be read. */
  #isStale = false;
  /** The segments when all of them were last found to be verified. */
  #verified: readonly OpenSegment[] | undefined;

  constructor(directory: string, manifest: Manifest, cache: BlockCache) {
    this.#directory = directory;
    this.#manifest = manifest;
    this.#cache = cache;
    this.#changed = changeDetector(manifest.database);
  }

  current(): readonly OpenSegment[] {
    if (this.#segments && !this.#isStale && !this.#changed()) return this.#segments;
    this.#isStale = true;
    let listed = this.#manifest.list();
    for (let attempt = 1; ; attempt += 1) {
      const missing = this.#open(listed);
      if (missing.length === 0) break;
      // Either these segments were compacted away after the manifest was read, or their files are lost.
      listed = this.#manifest.list();
      const names = new Set(listed.map(({ name }) => name));
      if (missing.every((name) => names.has(name)) || attempt >= attemptsMax) break;
    }
    this.#isStale = false;
    return this.#segments ?? [];
  }

  /** Files of version 1 must be verified as a whole before their first use, which takes long. */
  prepare(): Promise<void> | undefined {
    if (this.current() === this.#verified) return undefined;
    const files = this.current().flatMap((segment) =>
      tablesOf(segment)
        .map(({ file }) => file)
        .filter(({ isVerified }) => !isVerified),
    );
    if (files.length === 0) {
      this.#verified = this.#segments;
      return undefined;
    }
    return verifyAll(files);
  }

  close(): void {
    for (const segment of this.#segments ?? []) closeSegment(segment);
    this.#segments = [];
  }

  /** Opens what is listed and closes the rest. Returns the segments that lack a file. */
  #open(listed: readonly ListedSegment[]): readonly string[] {
    const before = new Map((this.#segments ?? []).map((segment) => [segment.summary.name, segment]));
    if (!this.#segments || !isSame(this.#segments, listed)) {
      const opened: OpenSegment[] = [];
      try {
        for (const summary of listed) opened.push(before.get(summary.name) ?? this.#openSegment(summary));
      } catch (error) {
        for (const segment of opened) if (!before.has(segment.summary.name)) closeSegment(segment);
        throw error;
      }
      this.#segments = opened;
      const kept = new Set(listed.map(({ name }) => name));
      for (const [name, segment] of before) if (!kept.has(name)) closeSegment(segment);
    }
    return this.#segments
      .filter((segment) => !before.has(segment.summary.name))
      .filter((segment) => tablesOf(segment).some(({ file }) => file.isMissing))
      .map(({ summary }) => summary.name);
  }

  #openSegment(summary: ListedSegment): OpenSegment {
    const tables: TableReader[] = [];
    const open = (table: TableName) => {
      const path = tablePath(this.#directory, summary.name, table);
      const reader = new TableReader(path, this.#cache, checksumOf(summary, table));
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

/** One after the other: they are on the same disk. */
async function verifyAll(files: readonly TableFile[]): Promise<void> {
  for (const file of files) await file.verify();
}

/** The manifest also changes in ways that do not affect scans. */
function isSame(segments: readonly OpenSegment[], listed: readonly ListedSegment[]): boolean {
  if (segments.length !== listed.length) return false;
  return segments.every(({ summary }, index) => summary.name === listed[index]?.name);
}

function closeSegment(segment: OpenSegment): void {
  for (const table of tablesOf(segment)) table.close();
}
