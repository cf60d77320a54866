/**
 * The tables of segments that are in files of this node. It may be lost at any time: what is missing is fetched again. Several processes may share the
 * directory, since a file is complete under its name, and never changes.
 */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, hourMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import { type TableName, tableNames, tablePath } from '../../rrset/segment/segment-files.ts';
import { segmentNameOf } from '../../rrset/segment-name.ts';
import type { Objects } from '../s3/open-objects.ts';
import type { SegmentList } from './segment-list.ts';
import { downloadTable } from './segment-objects.ts';
import { rangeOf, type StoredSegment, tablesIn } from './segment-rows.ts';

/** Fetched at once. */
const fetchesMax = 4;
/** Files that no segment in the list has; younger ones may be those of a segment that is being written. */
const leftoverMs = hourMs;
/** Of the directories of verifications, within the cache directory. */
export const scratchPrefix = 'verify-';

export interface CachedFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A segment that was compacted away since the list was read. */
export class SegmentGone extends Error {}

export class TableCache {
  readonly directory: string;
  readonly #objects: Objects;
  readonly #list: SegmentList;
  readonly #fetching = new Map<string, Promise<void>>();
  /** Segments that are being written or compacted, by name. */
  readonly #held = new Set<string>();

  constructor(directory: string, objects: Objects, list: SegmentList) {
    this.directory = directory;
    this.#objects = objects;
    this.#list = list;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  pathOf({ name }: Pick<StoredSegment, 'name'>, table: TableName): string {
    return tablePath(this.directory, name, table);
  }

  hasTable(segment: StoredSegment, table: TableName): boolean {
    const { from, to } = rangeOf(segment, table);
    return statSync(this.pathOf(segment, table), { throwIfNoEntry: false })?.size === to - from;
  }

  /** Fetches what is missing of these tables. Throws `SegmentGone` where the list has changed, and `try-again` while the object store is away. */
  async fetchTables(segments: readonly StoredSegment[], tables: readonly TableName[]): Promise<void> {
    const missing = segments.flatMap((segment) =>
      tablesIn(segment, tables)
        .filter((table) => !this.hasTable(segment, table))
        .map((table) => ({ segment, table })),
    );
    let next = 0;
    const fetchSome = async () => {
      for (let one = missing[next]; one; one = missing[next]) {
        next += 1;
        await this.#fetchOne(one.segment, one.table);
      }
    };
    const outcomes = await Promise.allSettled(Array.from({ length: fetchesMax }, fetchSome));
    const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  }

  /** Files of these segments stay while the work goes on. */
  async holding<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> {
    for (const name of names) this.#held.add(name);
    try {
      return await work();
    } finally {
      for (const name of names) this.#held.delete(name);
    }
  }

  /** Downloads that are under way count as well, and what is not ours. */
  isHeld(path: string): boolean {
    const name = segmentNameOf(path);
    return name === undefined || this.#held.has(name);
  }

  /** Where it has to be fetched again, the object decides whether it is damaged. */
  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  async removeSegment(segment: Pick<StoredSegment, 'name'>): Promise<void> {
    for (const table of tableNames) await rm(this.pathOf(segment, table), { force: true });
  }

  listFiles(): readonly CachedFile[] {
    return readdirSync(this.directory).flatMap((file) => {
      const path = join(this.directory, file);
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() ? [{ path, bytes: found.size, modifiedMs: found.mtimeMs }] : [];
    });
  }

  /** Removes what killed processes have left. */
  async removeLeftovers(listed: readonly StoredSegment[], nowMs: number): Promise<void> {
    const names = new Set(listed.map(({ name }) => name));
    for (const entry of readdirSync(this.directory)) {
      const path = join(this.directory, entry);
      const age = nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs);
      if (entry.startsWith(scratchPrefix) && age > dayMs) await rm(path, { recursive: true, force: true });
    }
    for (const { path, modifiedMs } of this.listFiles()) {
      const name = segmentNameOf(path);
      const isLeftover = name === undefined ? path.endsWith('.partial') : !names.has(name);
      if (isLeftover && nowMs - modifiedMs > leftoverMs) await rm(path, { force: true });
    }
  }

  #fetchOne(segment: StoredSegment, table: TableName): Promise<void> {
    const path = this.pathOf(segment, table);
    const running = this.#fetching.get(path);
    if (running) return running;
    const fetching = this.#download(segment, table, path).finally(() => this.#fetching.delete(path));
    this.#fetching.set(path, fetching);
    return fetching;
  }

  async #download(segment: StoredSegment, table: TableName, path: string): Promise<void> {
    const blockChecksums = await this.#list.findBlockChecksums(segment.name);
    if (!blockChecksums) throw new SegmentGone(segment.name);
    await downloadTable({ reader: this.#objects.newReader(), segment, table, blockChecksums, path });
    if (!this.hasTable(segment, table))
      throw new Problem('try-again', `${path} was removed while it was fetched`);
  }
}
