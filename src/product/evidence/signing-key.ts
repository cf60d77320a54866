/**
 * The Ed25519 key of an installation. It is derived from the server secret, so all nodes have the same, a backup of the secret is a backup of the
 * key, and no second secret is stored.
 */
import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject } from 'node:crypto';

/** PKCS #8 around the 32 bytes of a private key (RFC 8410). */
const header = Buffer.from('302e020100300506032b657004220420', 'hex');

export function signingKey(linkKey: Buffer): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', linkKey, '', 'nameglass evidence packs', 32));
  return createPrivateKey({ key: Buffer.concat([header, seed]), format: 'der', type: 'pkcs8' });
}

export function publicKeyPem(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}

/** SHA-256 of the key in DER, in hex: what `openssl pkey -pubin -outform DER | sha256sum` prints. Throws for what is no public key. */
export function keyFingerprint(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }));
}
