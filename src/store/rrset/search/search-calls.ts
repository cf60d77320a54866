/**
 * What the worker thread of flexible search does. It reads the segments itself, with its own block cache. Its searches alternate by
 * flow, a time slice each, and the thread holds no more of a result than the portion being sent.
 */
import { inFlow, yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import { Problem } from '../../../model/problem.ts';
import type { TextRow, TextScan } from '../../rrset-store.ts';
import type { LiveSegments } from '../open-segment.ts';
import { ScanBuffers } from '../scan/scan-buffers.ts';
import { type ScanResources, ScanSlices, sliceRowsMax } from '../scan/scan-slices.ts';
import { TextScanner } from '../scan/text-scanner.ts';

export type SearchCalls = ReturnType<typeof searchCalls>;

export interface SearchPortion {
  readonly rows: readonly TextRow[];
  /** Whether the search is complete. */
  readonly done: boolean;
}

const buffersMax = 16;
/** A search that finds nothing answers after this long, so that its caller can stop it. */
const portionMs = 100;

interface Search {
  readonly flow: string;
  readonly scan: TextScan;
  slices: ScanSlices<TextRow> | undefined;
}

export function searchCalls(openSegments: () => LiveSegments) {
  const searches = new Map<number, Search>();
  let opened: ScanResources | undefined;
  const resources = () => {
    opened ??= { segments: openSegments(), buffers: new ScanBuffers(buffersMax) };
    return opened;
  };

  /** Compiling a pattern takes time of its flow too. */
  const begin = async (scan: TextScan) => {
    await yieldToEventLoop();
    const rowsMax = Math.min(sliceRowsMax, scan.wanted ?? sliceRowsMax);
    return new ScanSlices(new TextScanner(scan, { left: scan.skip ?? 0 }), resources(), rowsMax);
  };

  const close = async (id: number): Promise<void> => {
    const search = searches.get(id);
    searches.delete(id);
    await search?.slices?.return();
  };

  return {
    open: (id: number, flow: string, scan: TextScan): void => {
      searches.set(id, { flow, scan, slices: undefined });
    },

    read: async (id: number): Promise<SearchPortion> => {
      const search = searches.get(id);
      // The thread died since the search was opened, and this is its successor.
      if (!search) throw new Problem('unavailable', 'the search was interrupted; send it again');
      try {
        return await inFlow(search.flow, async () => {
          search.slices ??= await begin(search.scan);
          return searches.has(id) ? readPortion(search.slices) : { rows: [], done: true };
        });
      } catch (error) {
        await close(id);
        throw error;
      }
    },

    close,
  };
}

async function readPortion(slices: ScanSlices<TextRow>): Promise<SearchPortion> {
  const untilMs = performance.now() + portionMs;
  for (;;) {
    const step = await slices.next();
    if (step.done) return { rows: [], done: true };
    if (step.value.length > 0 || performance.now() >= untilMs) return { rows: step.value, done: false };
  }
}
