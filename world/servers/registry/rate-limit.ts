/** A token bucket per client and server (https://en.wikipedia.org/wiki/Token_bucket). */
export interface RequestLimit {
  /** Undefined: allowed. Otherwise the seconds to wait. */
  findWaitSeconds(server: string, client: string): number | undefined;
}

interface Bucket {
  left: number;
  atMs: number;
}

const burstMax = 200;
const perSecond = 100;
const pauseSeconds = 2;
const clientsMax = 1000;

export function createRequestLimit(nowMs: () => number = () => performance.now()): RequestLimit {
  const buckets = new Map<string, Bucket>();
  return {
    findWaitSeconds: (server, client) => {
      const key = `${server} ${client}`;
      const atMs = nowMs();
      const last = buckets.get(key) ?? { left: burstMax, atMs };
      const left = Math.min(burstMax, last.left + ((atMs - last.atMs) / 1000) * perSecond);
      // A forgotten client begins anew, which only helps it.
      if (buckets.size >= clientsMax) buckets.clear();
      buckets.set(key, { left: Math.max(0, left - 1), atMs });
      return left >= 1 ? undefined : pauseSeconds;
    },
  };
}
