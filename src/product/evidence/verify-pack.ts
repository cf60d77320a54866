/** Checks an evidence pack offline: its signature, and every file against the manifest. The file may be hostile, so all sizes are bounded. */
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { unzipSync } from 'fflate';
import { Value } from 'typebox/value';
import { parseJson } from '../../model/registration/rdap/parse-json.ts';
import { Manifest, manifestPath, publicKeyPath, signaturePath } from './manifest.ts';
import { keyFingerprint } from './signing-key.ts';

export interface PackFault {
  readonly path: string;
  readonly fault:
    | 'changed'
    | 'missing'
    | 'extra'
    | 'duplicate'
    | 'unreadable'
    | 'invalid-signature'
    | 'other-key';
}

export interface VerifiedPack {
  /** Nothing is wrong. Whose key it is, only a key from elsewhere can say. */
  readonly isIntact: boolean;
  readonly faults: readonly PackFault[];
  /** Of the key that was used; undefined if there is none. */
  readonly fingerprint: string | undefined;
  /** A key that the caller trusts was given, and not the one in the pack used. */
  readonly isKeyGiven: boolean;
  /** Undefined if it cannot be read. Not to be believed if the pack is not intact. */
  readonly manifest: Manifest | undefined;
}

export const packBytesMax = 64 << 20;
const filesMax = 4000;
const unpackedBytesMax = 256 << 20;
const faultsMax = 100;

/** `trustedKey`: in PEM. */
export function verifyPack(zip: Uint8Array, trustedKey?: string): VerifiedPack {
  const isKeyGiven = trustedKey !== undefined;
  const unpacked = unpack(zip);
  if (!unpacked) return refused([{ path: 'the archive', fault: 'unreadable' }], isKeyGiven);
  const { files, duplicates } = unpacked;
  const faults: PackFault[] = duplicates.map((path) => ({ path, fault: 'duplicate' }));
  const own = files.get(publicKeyPath);
  const key = findKey(trustedKey ?? (own && Buffer.from(own).toString('utf8')));
  const [signed, signature] = [files.get(manifestPath), files.get(signaturePath)];
  if (!signed) faults.push({ path: manifestPath, fault: 'missing' });
  if (!signature) faults.push({ path: signaturePath, fault: 'missing' });
  if (!key) faults.push({ path: publicKeyPath, fault: own || isKeyGiven ? 'unreadable' : 'missing' });
  if (signed && signature && key && !verify(null, signed, key, signature))
    faults.push({ path: manifestPath, fault: 'invalid-signature' });
  const manifest = signed && readManifest(signed);
  if (signed && !manifest) faults.push({ path: manifestPath, fault: 'unreadable' });
  const fingerprint = key && keyFingerprint(key);
  if (manifest) {
    if (fingerprint !== undefined && manifest.key.fingerprint !== fingerprint)
      faults.push({ path: publicKeyPath, fault: 'other-key' });
    faults.push(...compare(manifest, files));
  }
  const isIntact = faults.length === 0;
  return { isIntact, faults: faults.slice(0, faultsMax), fingerprint, isKeyGiven, manifest };
}

function refused(faults: readonly PackFault[], isKeyGiven: boolean): VerifiedPack {
  return { isIntact: false, faults, fingerprint: undefined, isKeyGiven, manifest: undefined };
}

function unpack(
  zip: Uint8Array,
): { readonly files: ReadonlyMap<string, Uint8Array>; readonly duplicates: readonly string[] } | undefined {
  if (zip.length > packBytesMax) return undefined;
  const seen = new Set<string>();
  const duplicates: string[] = [];
  let bytes = 0;
  try {
    const files = unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        if (seen.has(name)) duplicates.push(name);
        seen.add(name);
        bytes += originalSize;
        if (seen.size > filesMax || duplicates.length > filesMax || bytes > unpackedBytesMax)
          throw new RangeError('the archive is too large');
        return true;
      },
    });
    return { files: new Map(Object.entries(files)), duplicates };
  } catch {
    return undefined;
  }
}

function findKey(pem: string | undefined): KeyObject | undefined {
  if (pem === undefined || pem.length > 10_000) return undefined;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function readManifest(bytes: Uint8Array): Manifest | undefined {
  const value = parseJson(Buffer.from(bytes));
  return Value.Check(Manifest, value) ? value : undefined;
}

function compare(manifest: Manifest, files: ReadonlyMap<string, Uint8Array>): readonly PackFault[] {
  const faults: PackFault[] = [];
  const listed = new Set<string>([manifestPath, signaturePath]);
  for (const { path, sha256, bytes } of manifest.items) {
    if (listed.has(path)) faults.push({ path, fault: 'duplicate' });
    listed.add(path);
    const found = files.get(path);
    if (!found) faults.push({ path, fault: 'missing' });
    else if (found.length !== bytes || hash('sha256', found) !== sha256)
      faults.push({ path, fault: 'changed' });
  }
  for (const path of files.keys()) if (!listed.has(path)) faults.push({ path, fault: 'extra' });
  return faults;
}
