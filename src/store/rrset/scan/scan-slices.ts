/**
 * A scan as an asynchronous iterator of slices. It works within the time slices of its flow, a few milliseconds each, and
 * returns items in small portions, so that a client that stops reading holds little memory. Written by hand, because most lookups are
 * one slice, for which a generator costs more than the scan.
 */
import { sliceEndsAtMs } from '../../../concurrency/event-loop-slices.ts';
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { Slices } from '../../rrset-store.ts';
import type { LiveSegments } from '../open-segment.ts';
import type { ResumableScan } from './resumable-scan.ts';
import type { BufferHolder, ScanBuffers } from './scan-buffers.ts';

/** The rows that a slice may have. Larger results are better streamed, since a row may have much data. */
export const sliceRowsMax = 80;
/** A lookup that takes longer waits for a slice like a scan. */
const syncMs = 1;

export interface ScanResources {
  readonly segments: LiveSegments;
  readonly buffers: ScanBuffers;
}

export class ScanSlices<Item> implements Slices<Item>, AsyncIterableIterator<readonly Item[]>, BufferHolder {
  readonly #scan: ResumableScan<Item>;
  readonly #resources: ScanResources;
  readonly #itemsMax: number;
  #segments: ReturnType<LiveSegments['current']> | undefined;
  #timeSlice: TimeSlice | undefined;
  /** The first slice, where `readAllSync` read it and there is more. */
  #first: readonly Item[] | undefined;
  #done = false;

  constructor(scan: ResumableScan<Item>, resources: ScanResources, itemsMax: number) {
    this.#scan = scan;
    this.#resources = resources;
    this.#itemsMax = itemsMax;
  }

  readAllSync(): readonly Item[] | undefined {
    if (this.#resources.segments.prepare(this.#scan.tables)) return undefined;
    const items = this.#slice(Math.min(performance.now() + syncMs, sliceEndsAtMs()));
    if (this.#done) return items;
    this.#first = items;
    return undefined;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly Item[], undefined>> {
    if (this.#first) {
      const value = this.#first;
      this.#first = undefined;
      return { done: false, value };
    }
    if (this.#done) return { done: true, value: undefined };
    await this.#resources.segments.prepare(this.#scan.tables);
    this.#timeSlice ??= new TimeSlice();
    for (let next = this.#timeSlice.yieldIfOver(); next; next = this.#timeSlice.yieldIfOver()) await next;
    if (this.#done) return { done: true, value: undefined };
    return { done: false, value: this.#slice(this.#timeSlice.endsAtMs) };
  }

  async return(): Promise<IteratorResult<readonly Item[], undefined>> {
    this.#end();
    this.#first = undefined;
    return { done: true, value: undefined };
  }

  releaseBuffers(): void {
    if (!this.#segments) return;
    this.#segments = undefined;
    this.#scan.release();
  }

  #slice(untilMs: number): Item[] {
    const segments = this.#resources.segments.current();
    if (segments !== this.#segments) this.#scan.rebind(segments);
    this.#segments = segments;
    const items: Item[] = [];
    if (this.#scan.gather(items, this.#itemsMax, untilMs)) this.#end();
    else this.#resources.buffers.use(this);
    return items;
  }

  #end(): void {
    this.#done = true;
    this.#resources.buffers.delete(this);
    this.releaseBuffers();
  }
}
