/**
 * The signed size of a log: the signed tree head of `get-sth` (RFC 6962, 4.3), or a checkpoint of the static API
 * (https://c2sp.org/static-ct-api). Where the log's key is configured, the signature is verified.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Problem } from '../../../model/problem.ts';

export interface LogHead {
  /** Number of entries. */
  readonly size: number;
  readonly timestampMs: number;
}

interface SignedHead extends LogHead {
  readonly rootHash: Buffer;
  /** Algorithms, length, signature. */
  readonly signature: Buffer;
}

export interface LogKey {
  readonly key: KeyObject;
  /** SHA-256 of the key in DER. */
  readonly logId: Buffer;
}

const [rootBytes, keyIdBytes, timestampBytes, noteKind] = [32, 4, 8, 5];
const [sha256, rsa, ecdsa] = [4, 1, 3];
const decimal = /^(?:0|[1-9]\d{0,15})$/;

/** `text` is base64 of the key in DER. Throws the Problem `invalid-parameters` for anything else. */
export function getLogKey(text: string): LogKey {
  const der = Buffer.from(text, 'base64');
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (!['ec', 'rsa'].includes(key.asymmetricKeyType ?? ''))
      throw new Error('logs sign with EC or RSA keys');
    return { key, logId: createHash('sha256').update(der).digest() };
  } catch (error) {
    throw new Problem('invalid-parameters', 'publicKey is not base64 of a public key in DER', {
      cause: error,
    });
  }
}

/** Throws the Problem `unavailable` for a malformed head or a wrong signature. */
export function getTreeHead(body: Buffer, key: LogKey | undefined): LogHead {
  const head = treeHeadIn(body);
  if (!head) throw new Problem('unavailable', 'the log returned a malformed tree head');
  if (key && !isSigned(head, key)) throw new Problem('unavailable', 'the tree head is not signed by the log');
  return { size: head.size, timestampMs: head.timestampMs };
}

export function getCheckpoint(body: Buffer, key: LogKey | undefined): LogHead {
  const text = body.toString('utf8');
  const [note = '', signatures = ''] = text.split('\n\n', 2);
  const [origin = '', size = '', root = '', ...extensions] = note.split('\n');
  const rootHash = Buffer.from(root, 'base64');
  if (origin === '' || !isSize(size) || rootHash.length !== rootBytes || extensions.length > 0)
    throw new Problem('unavailable', 'the log returned a malformed checkpoint');
  if (!key) return { size: Number(size), timestampMs: 0 };
  for (const line of signatures.split('\n')) {
    const signed = signatureIn(line, origin, key);
    if (!signed) continue;
    const head = { ...signed, size: Number(size), rootHash };
    if (isSigned(head, key)) return { size: head.size, timestampMs: head.timestampMs };
  }
  throw new Problem('unavailable', 'the checkpoint is not signed by the log');
}

function treeHeadIn(body: Buffer): SignedHead | undefined {
  let answer: Readonly<Record<string, unknown>>;
  try {
    answer = Object(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
  const {
    tree_size: size,
    timestamp: timestampMs,
    sha256_root_hash: root,
    tree_head_signature: signed,
  } = answer;
  if (typeof size !== 'number' || !isSize(String(size))) return undefined;
  if (typeof timestampMs !== 'number' || !isSize(String(timestampMs))) return undefined;
  const rootHash = Buffer.from(typeof root === 'string' ? root : '', 'base64');
  const signature = Buffer.from(typeof signed === 'string' ? signed : '', 'base64');
  return { size, timestampMs, rootHash, signature };
}

/** A signature line of the note, `— name base64`, if it is for this key: the first four bytes are a hash of name and key. */
function signatureIn(
  line: string,
  origin: string,
  { logId }: LogKey,
): Pick<SignedHead, 'timestampMs' | 'signature'> | undefined {
  const [dash, name, text = ''] = line.split(' ');
  if (dash !== '—' || name !== origin) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const keyId = createHash('sha256').update(`${origin}\n`).update(Buffer.of(noteKind)).update(logId).digest();
  if (bytes.length < keyIdBytes + timestampBytes) return undefined;
  if (bytes.compare(keyId, 0, keyIdBytes, 0, keyIdBytes) !== 0) return undefined;
  const timestamp = bytes.readBigUInt64BE(keyIdBytes);
  if (timestamp > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { timestampMs: Number(timestamp), signature: bytes.subarray(keyIdBytes + timestampBytes) };
}

/** Over version, type, timestamp, size and root hash (RFC 6962, 3.5). */
function isSigned({ size, timestampMs, rootHash, signature }: SignedHead, { key }: LogKey): boolean {
  if (rootHash.length !== rootBytes || signature.length < 4) return false;
  const algorithm = key.asymmetricKeyType === 'rsa' ? rsa : ecdsa;
  if (signature[0] !== sha256 || signature[1] !== algorithm) return false;
  if (signature.readUInt16BE(2) !== signature.length - 4) return false;
  const signed = Buffer.alloc(18);
  signed[1] = 1;
  signed.writeBigUInt64BE(BigInt(timestampMs), 2);
  signed.writeBigUInt64BE(BigInt(size), 10);
  return verify('sha256', Buffer.concat([signed, rootHash]), key, signature.subarray(4));
}

function isSize(text: string): boolean {
  return decimal.test(text) && Number.isSafeInteger(Number(text));
}
