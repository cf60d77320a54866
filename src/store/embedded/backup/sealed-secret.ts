/** The server secret in a backup, sealed with a passphrase: scrypt (RFC 7914) and AES-256-GCM, in a line of JSON. */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { Problem } from '../../../model/problem.ts';

/** 128 MiB and about half a second for each guess. */
const cost = { N: 2 ** 17, r: 8, p: 1 } as const;
const memoryMax = 256 << 20;

interface Sealed {
  readonly kdf: 'scrypt';
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly cipher: 'aes-256-gcm';
  readonly nonce: string;
  readonly tag: string;
  readonly sealed: string;
}

export function sealSecret(secret: string, passphrase: string): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const key = scryptSync(passphrase, salt, 32, { ...cost, maxmem: memoryMax });
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const value: Sealed = {
    kdf: 'scrypt',
    n: cost.N,
    r: cost.r,
    p: cost.p,
    salt: salt.toString('hex'),
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('hex'),
    tag: cipher.getAuthTag().toString('hex'),
    sealed: sealed.toString('hex'),
  };
  return `${JSON.stringify(value)}\n`;
}

export function openSecret(text: string, passphrase: string): string {
  try {
    const { n, r, p, salt, nonce, tag, sealed } = JSON.parse(text) as Sealed;
    if (n > cost.N || r > cost.r || p > cost.p) throw new Error('it asks for more work than we put into it');
    const key = scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, { N: n, r, p, maxmem: memoryMax });
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'hex'), { authTagLength: 16 });
    decipher.setAuthTag(Buffer.from(tag, 'hex'));
    return Buffer.concat([decipher.update(Buffer.from(sealed, 'hex')), decipher.final()]).toString('utf8');
  } catch (error) {
    const message = 'the passphrase does not open the secret of this backup; nothing was restored';
    throw new Problem('credentials-invalid', message, { cause: error });
  }
}
