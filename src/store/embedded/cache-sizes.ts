/** How much of the stored data each connection or thread may keep in memory, in bytes. None of it is needed for anything but speed. */
export interface CacheSizes {
  /** Blocks of passive DNS that lookups read, for the process. */
  readonly rrsetBytes: number;
  /** The same for the thread of flexible search. */
  readonly rrsetSearchBytes: number;
  /** Pages of `domains.db` for reads by key, for the process. */
  readonly domainBytes: number;
  /** The same for each thread that searches or writes. */
  readonly domainThreadBytes: number;
  /** Pages of `watchlist.db`, for the process and for each of its threads. */
  readonly watchlistBytes: number;
  /** Pages of `risks.db` for the thread that writes. */
  readonly riskBytes: number;
  /** Parts of streams that fast readers share, for the process. */
  readonly streamBytes: number;
}

export const usualCacheSizes: CacheSizes = {
  rrsetBytes: 64 << 20,
  rrsetSearchBytes: 16 << 20,
  domainBytes: 256 << 20,
  domainThreadBytes: 64 << 20,
  watchlistBytes: 32 << 20,
  riskBytes: 32 << 20,
  streamBytes: 48 << 20,
};

/** As SQLite wants it. */
export function cacheSizePragma(bytes: number): string {
  return `cache_size = -${Math.max(1, Math.floor(bytes / 1024))}`;
}
