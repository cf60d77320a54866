/** Locates certificates in the entries of a log: leaves (RFC 6962, 3.4) and data tiles (https://c2sp.org/static-ct-api). */

export interface LogEntry {
  readonly timestampMs: number;
  /** A precertificate is present as its TBSCertificate only. */
  readonly kind: 'certificate' | 'precertificate';
  /** Start and end of the certificate. */
  readonly from: number;
  readonly to: number;
  /** End of the whole entry. */
  readonly end: number;
}

const [versionBytes, keyHashBytes, fingerprintBytes] = [2, 32, 32];

/** Undefined for bytes that are not a leaf. */
export function entryOfLeaf(bytes: Buffer): LogEntry | undefined {
  // Version 1 and leaf type 0 are the only ones.
  if (bytes.length < versionBytes || bytes[0] !== 0 || bytes[1] !== 0) return undefined;
  const entry = timestampedEntryAt(bytes, versionBytes);
  return entry?.end === bytes.length ? entry : undefined;
}

/** The entry at an offset of a tile. Undefined where it is malformed; the following entries cannot be located then. */
export function entryInTile(bytes: Buffer, at: number): LogEntry | undefined {
  const entry = timestampedEntryAt(bytes, at);
  if (!entry) return undefined;
  const submitted = entry.kind === 'precertificate' ? endOfVector(bytes, entry.end, 3) : entry.end;
  if (submitted === undefined) return undefined;
  const end = endOfVector(bytes, submitted, 2);
  if (end === undefined || (end - submitted - 2) % fingerprintBytes !== 0) return undefined;
  return { ...entry, end };
}

function timestampedEntryAt(bytes: Buffer, at: number): LogEntry | undefined {
  if (at + 10 > bytes.length) return undefined;
  const timestampMs = bytes.readUIntBE(at, 2) * 2 ** 48 + bytes.readUIntBE(at + 2, 6);
  const type = bytes.readUInt16BE(at + 8);
  if (type > 1) return undefined;
  const start = at + 10 + (type === 0 ? 0 : keyHashBytes);
  const to = endOfVector(bytes, start, 3);
  const end = to === undefined ? undefined : endOfVector(bytes, to, 2);
  if (to === undefined || end === undefined) return undefined;
  return { timestampMs, kind: type === 0 ? 'certificate' : 'precertificate', from: start + 3, to, end };
}

/** End of a vector with a length prefix. */
function endOfVector(bytes: Buffer, at: number, lengthBytes: number): number | undefined {
  if (at + lengthBytes > bytes.length) return undefined;
  const end = at + lengthBytes + bytes.readUIntBE(at, lengthBytes);
  return end <= bytes.length ? end : undefined;
}
