/**
 * Lookups of single names and addresses that come while others are on their way wait for a moment and become one query: each query costs the server
 * and this process some milliseconds, whatever it asks for. Lookups are gathered where they differ in nothing but the name or address.
 */
import { DamagedData } from '../../damage.ts';
import type { SightingFilter } from '../../rrset-store.ts';
import type { KeyQuery } from '../clickhouse/sql.ts';
import { latin1 } from './known-names.ts';
import type { KeySighting } from './row-table.ts';

/** Queries that are not waited for: what comes then goes at once. */
const queriesAtOnce = 2;
/** How long a lookup waits for one of them. */
const waitMsMax = 10;
const lookupsMax = 64;
const rowsMax = 16_000;

/** In the order of the queries, the rows of each. */
type ReadTogether = (
  queries: readonly KeyQuery[],
  filter: SightingFilter,
  signal: AbortSignal,
) => Promise<readonly (readonly KeySighting[])[]>;

interface Caller {
  readonly signal: AbortSignal;
  readonly resolve: (rows: readonly KeySighting[]) => void;
  readonly reject: (reason: unknown) => void;
}

interface Lookup {
  readonly query: KeyQuery;
  readonly callers: Caller[];
}

interface Group {
  readonly filter: SightingFilter;
  /** By the bytes of the name or address, so that one is asked for once. */
  readonly lookups: Map<string, Lookup>;
}

export class LookupGatherer {
  readonly #readTogether: ReadTogether;
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(readTogether: ReadTogether) {
    this.#readTogether = readTogether;
  }

  read(query: KeyQuery, filter: SightingFilter, signal: AbortSignal): Promise<readonly KeySighting[]> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.#add(query, filter, { signal, resolve, reject });
      // What comes in the same iteration of the event loop comes together.
      if (this.#running < queriesAtOnce) setImmediate(() => this.#startSome());
      else this.#wait();
    });
  }

  #add(query: KeyQuery, filter: SightingFilter, caller: Caller): void {
    const name = groupOf(query, filter);
    const group = this.#groups.get(name) ?? { filter, lookups: new Map<string, Lookup>() };
    this.#groups.set(name, group);
    const point = pointOf(query);
    const lookup = group.lookups.get(point) ?? { query, callers: [] };
    group.lookups.set(point, lookup);
    lookup.callers.push(caller);
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      while (this.#groups.size > 0) this.#startNext();
    }, waitMsMax);
  }

  #startSome(): void {
    while (this.#groups.size > 0 && this.#running < queriesAtOnce) this.#startNext();
    if (this.#groups.size > 0) return this.#wait();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #startNext(): void {
    const [next] = this.#groups;
    if (!next) return;
    const [name, { filter, lookups }] = next;
    const taken = [...lookups].slice(0, mostOf([...lookups.values()][0]?.query.limit ?? 1));
    for (const [point] of taken) lookups.delete(point);
    if (lookups.size === 0) this.#groups.delete(name);
    const wanted = taken
      .map(([, { query, callers }]) => ({ query, callers: callers.filter(isWaiting) }))
      .filter(({ callers }) => callers.length > 0);
    if (wanted.length === 0) return;
    this.#running += 1;
    void this.#run(wanted, filter).finally(() => {
      this.#running -= 1;
      this.#startSome();
    });
  }

  async #run(lookups: readonly Lookup[], filter: SightingFilter): Promise<void> {
    const { signal, release } = untilAllAreGone(lookups.flatMap(({ callers }) => callers));
    try {
      const queries = lookups.map(({ query }) => query);
      const found = await this.#readTogether(queries, filter, signal);
      for (const [index, { callers }] of lookups.entries())
        for (const caller of callers) caller.resolve(found[index] ?? []);
    } catch (error) {
      if (error instanceof DamagedData && lookups.length > 1) {
        // Those that do not need what is damaged are answered.
        for (const lookup of lookups) await this.#run([lookup], filter);
      } else for (const { callers } of lookups) for (const caller of callers) caller.reject(error);
    } finally {
      release();
    }
  }
}

function isWaiting({ signal, reject }: Caller): boolean {
  if (signal.aborted) reject(signal.reason);
  return !signal.aborted;
}

/** A caller that goes away is not kept waiting; the query is abandoned when the last one has gone. */
function untilAllAreGone(callers: readonly Caller[]): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  let left = callers.length;
  const listeners = callers.map(({ signal, reject }) => {
    const onAbort = () => {
      reject(signal.reason);
      left -= 1;
      if (left === 0) controller.abort();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  });
  return { signal: controller.signal, release: () => listeners.forEach((release) => release()) };
}

function mostOf(limit: number): number {
  return Math.min(lookupsMax, Math.max(1, Math.floor(rowsMax / limit)));
}

function pointOf({ ranges }: KeyQuery): string {
  return latin1(ranges[0]?.from ?? new Uint8Array());
}

function groupOf({ kind, types, bailiwick, limit }: KeyQuery, filter: SightingFilter): string {
  const { fences, countMin, countMax } = filter;
  const selected = types === 'any' ? types : 'only' in types ? [1, ...types.only] : [0, ...types.except];
  const { firstBefore, firstAfter, lastBefore, lastAfter } = fences;
  const bounds = [firstBefore, firstAfter, lastBefore, lastAfter, countMin, countMax];
  return JSON.stringify([kind, selected, bailiwick && latin1(bailiwick), limit, bounds]);
}
