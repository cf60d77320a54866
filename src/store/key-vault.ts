/**
 * The server secret and the keys derived from it. API keys are encrypted with AES-256-GCM rather than hashed, because signatures need
 * the plain key; a copy of the database without the secret gives no usable key. Row layout: 12 bytes nonce, 16 bytes tag,
 * ciphertext. The username is authenticated too, so a ciphertext cannot be moved to another user.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../model/problem.ts';

const secretBytes = 32;

/** Reads the secret of a data directory, and creates it on first use. Processes that start concurrently get the same one. */
export function openServerSecret(dataDirectory: string, configured: string): Buffer {
  if (configured) return Buffer.from(configured, 'hex');
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const path = join(dataDirectory, 'secret.key');
  if (!existsSync(path)) {
    // A new secret would make every stored key useless for signatures, so the operator decides.
    if (existsSync(join(dataDirectory, 'accounts.db')) && !existsSync(path)) {
      const advice = 'restore it, or set the setting secret to 64 new hex digits and reset every key';
      throw new Problem(
        'unavailable',
        `${path} is missing, and the stored keys are encrypted with it; ${advice}`,
      );
    }
    createSecretFile(path);
  }
  const text = readFileSync(path, 'utf8');
  if (!/^[0-9a-f]{64}\n?$/i.test(text))
    throw new Problem('unavailable', `${path} is damaged: it must hold 64 hex digits`);
  return Buffer.from(text.trim(), 'hex');
}

/** The hard link makes the file appear with its whole content, and fails where another process was first. */
function createSecretFile(path: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(secretBytes).toString('hex')}\n`, { mode: 0o600, flush: true });
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** The key that download links are signed with. */
export function linkKey(serverSecret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', serverSecret, '', 'nameglass links', 32));
}

export interface KeyVault {
  seal(apiKey: string, username: string): Buffer;
  open(sealed: Buffer, username: string): string;
}

export function keyVault(serverSecret: Buffer): KeyVault {
  const key = Buffer.from(hkdfSync('sha256', serverSecret, '', 'nameglass api keys', 32));
  return vault(key, (username) => {
    const advice = 'restore the secret.key that it was stored with, or reset the key';
    return `the stored key of ${username} cannot be decrypted with this server secret; ${advice}`;
  });
}

/** For tokens of other services, bound to what they are for. */
export function tokenVault(links: Buffer): KeyVault {
  const key = Buffer.from(hkdfSync('sha256', links, '', 'nameglass tokens', 32));
  const advice = 'restore the secret.key that it was stored with, or enter the token again';
  return vault(key, () => `the stored token cannot be decrypted with this server secret; ${advice}`);
}

function vault(key: Buffer, failed: (owner: string) => string): KeyVault {
  return {
    seal(text, owner) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, owner) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(12, 28));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw new Error(failed(owner), { cause: error });
      }
    },
  };
}
