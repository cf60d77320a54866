/**
 * Keeps the memory of an idle process small. V8's young generation doubles while much of what is allocated survives, as it does while code is
 * loaded, and never shrinks by itself: a server would keep 64 MB of empty space for good. So it may not grow before the server has started;
 * under load it grows as usual.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Before the code of the server is loaded. */
export function startSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Threads write to databases and search in buffers: little of what they allocate lives on, and there are a dozen. Of those to come. */
export function keepThreadsSmall(): void {
  setFlagsFromString('--min-semi-space-size=1');
  setFlagsFromString('--max-semi-space-size=2');
}

/**
 * What only the start needed is freed, which stops everything for some hundredths of a second: before the first request. A process that answers takes
 * a tenth of a second for all that can be freed, since V8 does not do that later on (`--no-memory-reducer`).
 */
export function endStart({ mayGrow }: { readonly mayGrow: boolean }): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: NodeJS.GCOptions) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: mayGrow ? 'last-resort' : 'regular' });
  if (mayGrow) growYoungGeneration();
}

/** Up to what the process may have; it never shrinks again. */
export function growYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}

/**
 * For processes that have several threads: the allocator of glibc otherwise keeps up to eight heaps for each processor, which are never
 * compacted, and puts ever larger buffers into them once some were freed. Large ones are given back to the system. Ignored by other allocators.
 */
export const smallAllocatorHeaps = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(256 << 10),
  MALLOC_TRIM_THRESHOLD_: String(1 << 20),
} as const;
