/** The RFC 6962 structures of a log entry; `u24` and the like are those of TLS. */

export interface Submission {
  readonly kind: 'certificate' | 'precertificate';
  /** The certificate, or the precertificate as it was signed. */
  readonly der: Buffer;
  /** Of a precertificate: what the certificate will be signed over, but for the promises of the logs. */
  readonly signedPart?: Buffer;
  readonly issuerKeyHash: Buffer;
  /** From the issuer to the root. */
  readonly chain: readonly Buffer[];
}

const entryTypes = { certificate: 0, precertificate: 1 } as const;

/** `TimestampedEntry`: all that a log promises, and what the leaf of the tree is made of. */
export function timestampedEntry(submission: Submission, timestampMs: number, extensions: Buffer): Buffer {
  const { kind, der, signedPart, issuerKeyHash } = submission;
  const entry = signedPart ? [issuerKeyHash, ...withLength(3, signedPart)] : withLength(3, der);
  return Buffer.concat([
    uint(8, timestampMs),
    uint(2, entryTypes[kind]),
    ...entry,
    ...withLength(2, extensions),
  ]);
}

/**
 * `MerkleTreeLeaf`: version 1 and a timestamped entry. A promise is signed over the very same bytes, because the numbers of "version 1" and
 * "certificate timestamp" are zeros, too.
 */
export function treeLeaf(entry: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0, 0]), entry]);
}

/** `extra_data` of `get-entries`. */
export function extraData({ kind, der, chain }: Submission): Buffer {
  const certificates = withLength(3, Buffer.concat(chain.flatMap((issuer) => withLength(3, issuer))));
  return Buffer.concat(kind === 'certificate' ? certificates : [...withLength(3, der), ...certificates]);
}

/** `TileLeaf` of the static API. */
export function tileLeaf(entry: Buffer, { kind, der }: Submission, fingerprints: readonly Buffer[]): Buffer {
  return Buffer.concat([
    entry,
    ...(kind === 'certificate' ? [] : withLength(3, der)),
    ...withLength(2, Buffer.concat(fingerprints)),
  ]);
}

/** The extension by which a promise of a static log says where the entry is. */
export function leafIndexExtension(index: number): Buffer {
  return Buffer.concat([Buffer.from([0]), ...withLength(2, uint(5, index))]);
}

export function withLength(lengthBytes: 2 | 3, content: Buffer): [Buffer, Buffer] {
  return [uint(lengthBytes, content.length), content];
}

export function uint(bytes: 2 | 3 | 5 | 8, number: number): Buffer {
  const whole = Buffer.alloc(8);
  whole.writeBigUInt64BE(BigInt(number));
  return whole.subarray(8 - bytes);
}
