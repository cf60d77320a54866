/**
 * Buffers for reading streams, three for each reader: one is being consumed, one may still be on its way to the socket, one is being
 * filled. Large buffers make fast readers faster; they come from a small pool, so that many readers do not need much memory.
 */

export type ReadBuffers = readonly [Buffer, Buffer, Buffer];

const smallBytes = 65_536;
const largeBytes = 1 << 20;
const largeMax = 16;

const free: ReadBuffers[] = [];
let allocated = 0;

export function smallBuffers(bytesMax: number): ReadBuffers {
  const bytes = Math.min(smallBytes, bytesMax);
  return [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
}

/** Undefined where the pool is exhausted. */
export function acquireLargeBuffers(): ReadBuffers | undefined {
  const known = free.pop();
  if (known || allocated >= largeMax) return known;
  allocated += 1;
  return [
    Buffer.allocUnsafeSlow(largeBytes),
    Buffer.allocUnsafeSlow(largeBytes),
    Buffer.allocUnsafeSlow(largeBytes),
  ];
}

export function releaseLargeBuffers(buffers: ReadBuffers): void {
  free.push(buffers);
}
