/** The same bytes for long. Node makes small buffers in pools of 64 kB, and one that is kept keeps all of its pool. */
export function inOwnMemory(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
