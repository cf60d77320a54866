/** The single byte range of a `Range` header (RFC 9110, section 14). */

export interface ByteRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * `whole` for a missing or malformed header, or one with several ranges, which a server may answer with the whole content;
 * `unsatisfiable` for a range beyond the end.
 */
export function readByteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    if (Number(last) === 0 || size === 0) return 'unsatisfiable';
    return { from: Math.max(0, size - Number(last)), to: size };
  }
  if (last !== '' && Number(last) < Number(first)) return 'whole';
  if (Number(first) >= size) return 'unsatisfiable';
  return { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) };
}
