/**
 * Memory for pieces of streams on their way: one is being taken, one may still be on its way out, one is being filled. Large
 * pieces make fast readers faster; there are few of them, used again and again, so that many readers do not need much memory.
 */

export type Memory = readonly [Buffer, Buffer, Buffer];

const smallBytes = 131_072;
const largeBytes = 1 << 20;
const largeMax = 16;

const free: Memory[] = [];
let made = 0;

export function smallMemory(bytesMax: number): Memory {
  const bytes = Math.min(smallBytes, bytesMax);
  return [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
}

/** Undefined where enough others have some. */
export function findLargeMemory(): Memory | undefined {
  const known = free.pop();
  if (known || made >= largeMax) return known;
  made += 1;
  return [
    Buffer.allocUnsafeSlow(largeBytes),
    Buffer.allocUnsafeSlow(largeBytes),
    Buffer.allocUnsafeSlow(largeBytes),
  ];
}

export function giveLargeMemory(memory: Memory): void {
  free.push(memory);
}
