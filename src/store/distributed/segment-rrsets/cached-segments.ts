/**
 * The segments of the list as this node can read them. Which tables it fetches depends on what is asked of it: those of a kind that was read once are
 * kept for all segments, and fetched for new segments before these are shown, so that lookups do not wait for the object store.
 */
import { extname } from 'node:path';
import { Mutex } from '../../../concurrency/mutex.ts';
import type { Clock } from '../../../model/clock.ts';
import { minuteMs, secondMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import type { LiveSegments } from '../../rrset/open-segment.ts';
import type { BlockCache } from '../../rrset/segment/block-cache.ts';
import { checksumOf, type TableName } from '../../rrset/segment/segment-files.ts';
import { TableReader } from '../../rrset/segment/table-reader.ts';
import { segmentNameOf } from '../../rrset/segment-name.ts';
import { CachedSegment } from './cached-segment.ts';
import { makeRoom } from './make-room.ts';
import { listTopic, type SegmentList } from './segment-list.ts';
import { type StoredSegment, tablesIn } from './segment-rows.ts';
import { SegmentGone, type TableCache } from './table-cache.ts';

const pollMs = 5 * secondMs;
/** A node that cannot fetch new segments answers without them for so long, and then not at all. */
const staleMs = minuteMs;
const attemptsMax = 10;

export interface CachedSegmentsNeeds {
  readonly list: SegmentList;
  readonly cache: TableCache;
  readonly blocks: BlockCache;
  readonly clock: Clock;
  /** The files of a node together, unless what is read at the same time is more. */
  readonly bytesMax: number;
  readonly onFault: (fault: string) => void;
}

export class CachedSegments implements LiveSegments {
  readonly #needs: CachedSegmentsNeeds;
  readonly #changes = new Mutex();
  #version = -1;
  #segments: readonly CachedSegment[] = [];
  /** The kinds of tables that are open in all segments. */
  readonly #open = new Set<TableName>();
  /** Those that are being fetched, once for each caller. */
  readonly #arriving: TableName[] = [];
  readonly #usedMs = new Map<TableName, number>();
  /** Reads the list after everything that was committed until now. */
  #waiting: Promise<void> | undefined;
  #staleSinceMs: number | undefined;
  #unfollow: (() => void) | undefined;

  constructor(needs: CachedSegmentsNeeds) {
    this.#needs = needs;
  }

  current(): readonly CachedSegment[] {
    return this.#segments;
  }

  prepare(tables: readonly TableName[]): Promise<void> | undefined {
    const nowMs = performance.now();
    let isReady = this.#version >= 0;
    for (const table of tables) {
      this.#usedMs.set(table, nowMs);
      isReady &&= this.#open.has(table);
    }
    if (isReady) return undefined;
    this.#arriving.push(...tables);
    const fetching = this.#fetchKinds(tables).finally(() => {
      for (const table of tables) this.#arriving.splice(this.#arriving.indexOf(table), 1);
    });
    // A lookup that was to be synchronous does not wait for it.
    fetching.catch(() => undefined);
    return fetching;
  }

  /** Shows what is committed by now, unless the object store is away. */
  refresh(): Promise<void> {
    this.#waiting ??= this.#changes.runExclusive(() => {
      this.#waiting = undefined;
      return this.#refresh();
    });
    return this.#waiting;
  }

  /** Forgets a file that is damaged. False where it is not one of this node. */
  async discard(path: string): Promise<boolean> {
    const name = segmentNameOf(path);
    if (name === undefined || !path.startsWith(this.#needs.cache.directory)) return false;
    const table = extname(path).slice(1) as TableName;
    await this.#changes.runExclusive(async () => {
      this.#open.delete(table);
      this.#segments = this.#segments.map((segment) =>
        segment.summary.name === name ? segment.without(table) : segment,
      );
      await this.#needs.cache.discard(path);
    });
    return true;
  }

  async close(): Promise<void> {
    this.#unfollow?.();
    await this.#changes.runExclusive(async () => {
      for (const segment of this.#segments) segment.close();
      this.#segments = [];
      this.#open.clear();
    });
  }

  async #fetchKinds(tables: readonly TableName[]): Promise<void> {
    if (this.#version < 0) await this.refresh();
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      try {
        // Most of it while others go on; what is new since, under the lock.
        await this.#needs.cache.fetchTables(this.#listed(), tables);
        await this.#changes.runExclusive(async () => {
          await this.#needs.cache.fetchTables(this.#listed(), tables);
          this.#openTables(this.#segments, tables);
          for (const table of tables) this.#open.add(table);
          await this.#makeRoom(tables);
        });
        return;
      } catch (error) {
        if (!(error instanceof SegmentGone)) throw error;
        await this.refresh();
      }
    }
    throw new Problem('try-again', 'passive DNS is compacted faster than it can be fetched; try again');
  }

  async #refresh(): Promise<void> {
    await this.#follow();
    for (let attempt = 1; ; attempt += 1) {
      const { version, segments } = await this.#needs.list.read(this.#version);
      if (!segments) return;
      try {
        await this.#needs.cache.fetchTables(segments, [...this.#open]);
        await this.#show(version, segments);
      } catch (error) {
        if (error instanceof SegmentGone && attempt < attemptsMax) continue;
        if (this.#keepsOld(error)) return;
        // Each kind is fetched when it is needed, and says what is wrong with it.
        this.#open.clear();
        await this.#show(version, segments);
      }
      this.#staleSinceMs = undefined;
      return;
    }
  }

  #keepsOld(error: unknown): boolean {
    const isAway = error instanceof SegmentGone || (error instanceof Problem && error.code === 'try-again');
    if (!isAway) return false;
    this.#staleSinceMs ??= performance.now();
    return performance.now() - this.#staleSinceMs < staleMs;
  }

  async #show(version: number, listed: readonly StoredSegment[]): Promise<void> {
    const before = new Map(this.#segments.map((segment) => [segment.summary.name, segment]));
    const shown = listed.map((summary) => before.get(summary.name) ?? new CachedSegment(summary));
    try {
      this.#openTables(shown, [...this.#open]);
    } catch (error) {
      for (const segment of shown) if (!before.has(segment.summary.name)) segment.close();
      throw error;
    }
    this.#segments = shown;
    this.#version = version;
    for (const { name } of listed) before.delete(name);
    for (const segment of before.values()) {
      segment.close();
      await this.#needs.cache.removeSegment(segment.summary);
    }
    await this.#makeRoom([]);
  }

  #openTables(segments: readonly CachedSegment[], tables: readonly TableName[]): void {
    const { cache, blocks } = this.#needs;
    for (const segment of segments) {
      const { summary } = segment;
      for (const table of tablesIn(summary, tables)) {
        if (segment.isOpen(table)) continue;
        const reader = new TableReader(cache.pathOf(summary, table), blocks, checksumOf(summary, table));
        // Another process that shares the directory has just removed it.
        if (reader.file.isMissing) throw new SegmentGone(summary.name);
        segment.open(table, reader);
      }
    }
  }

  async #makeRoom(wanted: readonly TableName[]): Promise<void> {
    const { cache, bytesMax, onFault } = this.#needs;
    const byUse = [...this.#open]
      .filter((table) => !wanted.includes(table))
      .toSorted((left, right) => (this.#usedMs.get(left) ?? 0) - (this.#usedMs.get(right) ?? 0));
    const used = new Set([...this.#open, ...this.#arriving]);
    const isOpen = (path: string) => used.has(extname(path).slice(1) as TableName);
    const { excessBytes, closed } = await makeRoom({ cache, bytesMax, byUse, isOpen });
    for (const table of closed) this.#open.delete(table);
    if (closed.length > 0)
      this.#segments = this.#segments.map((segment) =>
        closed.reduce<CachedSegment>((kept, table) => kept.without(table), segment),
      );
    if (excessBytes > 0)
      onFault(
        `the segments of passive DNS that lookups need are ${excessBytes} bytes more than the cache directory may hold`,
      );
  }

  #listed(): readonly StoredSegment[] {
    return this.#segments.map(({ summary }) => summary);
  }

  async #follow(): Promise<void> {
    if (this.#unfollow) return;
    const { list, cache, clock } = this.#needs;
    const refresh = () => void this.refresh().catch(() => undefined);
    const unlisten = list.database.signals(listTopic).listen(refresh);
    const timer = setInterval(refresh, pollMs).unref();
    this.#unfollow = () => {
      clearInterval(timer);
      unlisten();
    };
    await cache.removeLeftovers(await list.listSegments(), clock.now());
  }
}
