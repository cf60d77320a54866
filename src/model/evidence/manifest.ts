/**
 * The manifest of a pack: every file with its checksum, and where it comes from. Its bytes are what is signed. Read by hand and not by a schema,
 * because browsers read it too.
 */
export const packFormat = 'nameglass-evidence-1';
export const manifestPath = 'manifest.json';
export const signaturePath = 'manifest.json.sig';
export const publicKeyPath = 'public-key.pem';

export interface ManifestItem {
  readonly path: string;
  /** In hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly media_type: string;
  readonly kind: string;
  /** The rest is of what servers answered. */
  readonly domain?: string;
  readonly collector?: string;
  readonly asked?: string;
  readonly address?: string;
  readonly request?: string;
  readonly first_seen?: string;
  readonly last_seen?: string;
  readonly truncated?: boolean;
}

export interface Manifest {
  readonly format: typeof packFormat;
  readonly pack: string;
  readonly created: string;
  readonly server: string;
  readonly recipient: string;
  readonly domains: readonly { readonly domain: string; readonly unicode: string }[];
  readonly key: { readonly algorithm: 'Ed25519'; readonly fingerprint: string };
  readonly items: readonly ManifestItem[];
}

type Members = Readonly<Record<string, unknown>>;

const bytesMax = 8 << 20;
const pathForm = /^(?:[a-z0-9][A-Za-z0-9._/-]{0,299}|SHA256SUMS|VERIFY\.txt)$/;
const hashForm = /^[0-9a-f]{64}$/;
const probeTexts = ['domain', 'collector', 'asked', 'address', 'request', 'first_seen', 'last_seen'] as const;

/** Undefined for what is no manifest. */
export function readManifest(bytes: Uint8Array): Manifest | undefined {
  if (bytes.length > bytesMax) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || value['format'] !== packFormat) return false;
  const { key, domains, items } = value;
  return (
    hasTexts(value, ['pack', 'created', 'server', 'recipient']) &&
    isObject(key) &&
    key['algorithm'] === 'Ed25519' &&
    hasTexts(key, ['fingerprint']) &&
    Array.isArray(domains) &&
    domains.every((one) => isObject(one) && hasTexts(one, ['domain', 'unicode'])) &&
    Array.isArray(items) &&
    items.every(isItem)
  );
}

function isItem(value: unknown): value is ManifestItem {
  if (!isObject(value) || !hasTexts(value, ['path', 'sha256', 'media_type', 'kind'])) return false;
  const { path, sha256, bytes, truncated } = value;
  return (
    pathForm.test(path as string) &&
    hashForm.test(sha256 as string) &&
    Number.isSafeInteger(bytes) &&
    (bytes as number) >= 0 &&
    probeTexts.every((member) => value[member] === undefined || typeof value[member] === 'string') &&
    (truncated === undefined || typeof truncated === 'boolean')
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasTexts(value: Members, members: readonly string[]): boolean {
  return members.every((member) => typeof value[member] === 'string');
}
