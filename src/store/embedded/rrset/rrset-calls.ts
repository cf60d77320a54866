/**
 * What the worker threads of the passive DNS store do: sort and write tables, compact and verify them, and change the manifest. Table
 * files are complete and synced before the manifest lists them.
 */

import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { hourMs } from '../../../model/durations.ts';
import { type SegmentSummary, tableNames, tablePath } from '../../rrset/segment/segment-files.ts';
import { tableCalls } from '../../rrset/table-calls.ts';
import type { NewlyObservedCounts } from '../../rrset-store.ts';
import { type ImportProgress, Manifest } from './manifest.ts';

/** A compaction that takes longer than this may be started again by another process. */
const claimMs = 6 * hourMs;

export type RrsetCalls = ReturnType<typeof rrsetCalls>;

interface Commit {
  readonly segment: SegmentSummary | undefined;
  readonly progress: ImportProgress | undefined;
  readonly published: boolean;
}

export function rrsetCalls(directory: string) {
  let opened: Manifest | undefined;
  const manifest = () => {
    opened ??= new Manifest(directory);
    return opened;
  };

  /** Makes the names of new files survive a power cut, as their contents already do. */
  const syncDirectory = () => {
    const handle = openSync(directory, 'r');
    fsyncSync(handle);
    closeSync(handle);
  };

  const removeSegment = (name: string) => {
    for (const table of tableNames) rmSync(tablePath(directory, name, table), { force: true });
  };

  return {
    ...tableCalls(directory),

    commit: ({ segment, progress, published }: Commit) => {
      if (segment) syncDirectory();
      return manifest().commit(segment, progress, { published });
    },

    /** False when another process holds the claim by now. Either way `discardUnlisted` then removes what is not needed. */
    replace: (segment: SegmentSummary, sources: readonly string[]) => {
      syncDirectory();
      return manifest().replace(segment, sources, segment.name);
    },

    claim: (segments: readonly string[], claimant: string, nowMs: number) =>
      manifest().claim(segments, claimant, nowMs, nowMs + claimMs),

    releaseClaim: (claimant: string) => manifest().release(claimant),

    listUnclaimed: (nowMs: number) => manifest().listUnclaimed(nowMs, nowMs + claimMs),

    markPublished: (sequence: number, counts: NewlyObservedCounts) =>
      manifest().markPublished(sequence, counts),

    /** Removes the files of segments that the manifest does not list; false when it lists one of them. */
    discardUnlisted: (names: readonly string[]) => {
      const listed = new Set(
        manifest()
          .list()
          .map(({ name }) => name),
      );
      for (const name of names) if (!listed.has(name)) removeSegment(name);
      return !names.some((name) => listed.has(name));
    },

    verifyManifest: () => manifest().findDamage(),
  };
}
