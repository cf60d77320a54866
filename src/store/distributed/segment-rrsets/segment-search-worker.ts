/** The worker thread of flexible search on a node. The segments that it reads are given to it. */
import { workerData } from 'node:worker_threads';
import { giveWay } from '../../../concurrency/give-way.ts';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import type { LiveSegments } from '../../rrset/open-segment.ts';
import { searchCalls } from '../../rrset/search/search-calls.ts';
import { BlockCache } from '../../rrset/segment/block-cache.ts';
import { checksumOf, type TableName, tablePath } from '../../rrset/segment/segment-files.ts';
import { TableReader } from '../../rrset/segment/table-reader.ts';
import { CachedSegment } from './cached-segment.ts';
import { type StoredSegment, tablesIn } from './segment-rows.ts';

const { directory, cacheBytes } = workerData as { directory: string; cacheBytes: number };
const searched: readonly TableName[] = ['distinct', 'trigram'];
const cache = new BlockCache(cacheBytes);
let opened: readonly CachedSegment[] = [];

/** All files are open from now on, and stay so when the node removes them. */
function openSegments(listed: readonly StoredSegment[]): void {
  const before = new Map(opened.map((segment) => [segment.summary.name, segment]));
  opened = listed.map((summary) => before.get(summary.name) ?? openSegment(summary));
  for (const segment of opened) before.delete(segment.summary.name);
  for (const segment of before.values()) segment.close();
}

function openSegment(summary: StoredSegment): CachedSegment {
  const segment = new CachedSegment(summary);
  for (const table of tablesIn(summary, searched)) {
    const path = tablePath(directory, summary.name, table);
    segment.open(table, new TableReader(path, cache, checksumOf(summary, table)));
  }
  return segment;
}

const live: LiveSegments = { current: () => opened, prepare: () => undefined };
const calls = { ...searchCalls(() => live), openSegments };
export type SegmentSearchCalls = typeof calls;
giveWay();
serveWorkerCalls(calls);
