/**
 * Checks an evidence pack offline: its signature, and every file against the manifest. The command line and the web UI run this very code, so
 * it uses nothing but Web Crypto. The file may be hostile, so all sizes are bounded before anything is unpacked.
 */
import { unzipSync } from 'fflate';
import { type Manifest, manifestPath, publicKeyPath, readManifest, signaturePath } from './manifest.ts';

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

type Bytes = Uint8Array<ArrayBuffer>;

interface PublicKey {
  readonly key: Parameters<typeof crypto.subtle.verify>[1];
  /** SHA-256 of the key in DER, in hex. */
  readonly fingerprint: string;
}

export const packBytesMax = 64 << 20;
const filesMax = 4000;
const unpackedBytesMax = 256 << 20;
const faultsMax = 100;
const pemLengthMax = 10_000;

/** `trustedKey`: in PEM. */
export async function verifyPack(zip: Uint8Array, trustedKey?: string): Promise<VerifiedPack> {
  const isKeyGiven = trustedKey !== undefined;
  const unpacked = unpack(zip);
  if (!unpacked) return refused([{ path: 'the archive', fault: 'unreadable' }], isKeyGiven);
  const { files, duplicates } = unpacked;
  const faults: PackFault[] = duplicates.map((path) => ({ path, fault: 'duplicate' }));
  const own = files.get(publicKeyPath);
  const key = await findKey(trustedKey ?? (own && new TextDecoder().decode(own.subarray(0, pemLengthMax))));
  const [signed, signature] = [files.get(manifestPath), files.get(signaturePath)];
  if (!signed) faults.push({ path: manifestPath, fault: 'missing' });
  if (!signature) faults.push({ path: signaturePath, fault: 'missing' });
  if (!key) faults.push({ path: publicKeyPath, fault: own || isKeyGiven ? 'unreadable' : 'missing' });
  if (signed && signature && key && !(await crypto.subtle.verify('Ed25519', key.key, signature, signed)))
    faults.push({ path: manifestPath, fault: 'invalid-signature' });
  const manifest = signed && readManifest(signed);
  if (signed && !manifest) faults.push({ path: manifestPath, fault: 'unreadable' });
  if (manifest) {
    if (key && manifest.key.fingerprint !== key.fingerprint)
      faults.push({ path: publicKeyPath, fault: 'other-key' });
    faults.push(...(await compare(manifest, files)));
  }
  return {
    isIntact: faults.length === 0,
    faults: faults.slice(0, faultsMax),
    fingerprint: key?.fingerprint,
    isKeyGiven,
    manifest,
  };
}

/** Whether this is an Ed25519 public key in PEM. */
export async function isPublicKey(pem: string): Promise<boolean> {
  return (await findKey(pem)) !== undefined;
}

function refused(faults: readonly PackFault[], isKeyGiven: boolean): VerifiedPack {
  return { isIntact: false, faults, fingerprint: undefined, isKeyGiven, manifest: undefined };
}

function unpack(
  zip: Uint8Array,
): { readonly files: ReadonlyMap<string, Bytes>; readonly duplicates: readonly string[] } | undefined {
  if (zip.length > packBytesMax) return undefined;
  const seen = new Set<string>();
  const duplicates: string[] = [];
  let [bytes, packedBytes] = [0, 0];
  try {
    const files = unzipSync(zip, {
      filter: ({ name, size, originalSize }) => {
        if (seen.has(name)) duplicates.push(name);
        seen.add(name);
        bytes += originalSize;
        // Entries that share their bytes would be unpacked thousands of times.
        packedBytes += size;
        const isTooLarge = bytes > unpackedBytesMax || packedBytes > zip.length;
        if (isTooLarge || seen.size > filesMax || duplicates.length > filesMax)
          throw new RangeError('the archive is too large');
        return true;
      },
    });
    return { files: new Map(Object.entries(files) as [string, Bytes][]), duplicates };
  } catch {
    return undefined;
  }
}

async function findKey(pem: string | undefined): Promise<PublicKey | undefined> {
  if (pem === undefined || pem.length > pemLengthMax) return undefined;
  const body = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/.exec(pem)?.[1];
  if (body === undefined) return undefined;
  try {
    const der = Uint8Array.from(atob(body), (character) => character.codePointAt(0) ?? 0);
    const key = await crypto.subtle.importKey('spki', der, 'Ed25519', true, ['verify']);
    return { key, fingerprint: await sha256(new Uint8Array(await crypto.subtle.exportKey('spki', key))) };
  } catch {
    return undefined;
  }
}

async function compare(manifest: Manifest, files: ReadonlyMap<string, Bytes>): Promise<readonly PackFault[]> {
  const faults: PackFault[] = [];
  const listed = new Set<string>([manifestPath, signaturePath]);
  for (const { path, sha256: expected, bytes } of manifest.items) {
    const isRepeated = listed.has(path);
    if (isRepeated) faults.push({ path, fault: 'duplicate' });
    listed.add(path);
    const found = files.get(path);
    if (!found) faults.push({ path, fault: 'missing' });
    // Once for each file: a hostile manifest may list a large one thousands of times.
    else if (!isRepeated && (found.length !== bytes || (await sha256(found)) !== expected))
      faults.push({ path, fault: 'changed' });
  }
  for (const path of files.keys()) if (!listed.has(path)) faults.push({ path, fault: 'extra' });
  return faults;
}

async function sha256(bytes: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
