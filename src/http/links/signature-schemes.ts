/**
 * The ways in which links are signed: HMAC-SHA-256 with a key derived for each kind (HKDF, RFC 5869), so that a signature of one
 * kind is worth nothing for another; or AWS Signature Version 4.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { presignedQuery, verifyPresigned } from '../../model/presigned-url.ts';
import { searchParams } from '../query-string.ts';
import type { Lifetime, SignatureScheme } from './signed-links.ts';

/** `Expires=<epoch seconds>&Signature=<base64url>`, over host, path and expiry. Any other query is altered. */
export function expiringSignature(linkKey: Buffer, label: string): SignatureScheme<Lifetime> {
  const key = derivedKey(linkKey, label);
  const sign = (host: string, path: string, expires: string) =>
    hmac(key, ['GET', host, path, expires]).toString('base64url');
  return {
    sign({ host, path }, { nowMs, lifetimeSeconds }) {
      const expires = String(Math.floor(nowMs / 1000) + lifetimeSeconds);
      return `Expires=${expires}&Signature=${sign(host, path, expires)}`;
    },
    verify(query, { host, path }, nowMs) {
      const [, expires = '', signature = ''] = /^Expires=([1-9]\d{0,10})&Signature=(.*)$/.exec(query) ?? [];
      if (!isSameText(signature, sign(host, path, expires))) return 'altered';
      return nowMs < Number(expires) * 1000 ? 'valid' : 'expired';
    },
  };
}

/** `Signature=<base64url>`, over host and path. Any other query is altered. */
export function permanentSignature(linkKey: Buffer, label: string): SignatureScheme<void> {
  const key = derivedKey(linkKey, label);
  const sign = (host: string, path: string) => hmac(key, ['GET', host, path]).toString('base64url');
  return {
    sign: ({ host, path }) => `Signature=${sign(host, path)}`,
    verify(query, { host, path }) {
      const [, signature = ''] = /^Signature=(.*)$/.exec(query) ?? [];
      return isSameText(signature, sign(host, path)) ? 'valid' : 'altered';
    },
  };
}

/** `token=<hex>`, over the values of the named parameters alone: they may come in any order, and others may be added. */
export function permanentToken(
  linkKey: Buffer,
  label: string,
  names: readonly string[],
): SignatureScheme<void> {
  const key = derivedKey(linkKey, label);
  const sign = (values: readonly string[]) => hmac(key, values).toString('hex');
  return {
    sign({ parameters }) {
      const token = sign(names.map((name) => parameters[name] ?? ''));
      return new URLSearchParams({ ...parameters, token }).toString();
    },
    verify(query) {
      const sent = searchParams(query);
      const values = names.map((name) => singleValue(sent, name));
      return isSameText(singleValue(sent, 'token'), sign(values)) ? 'valid' : 'altered';
    },
  };
}

/** AWS Signature Version 4, as object stores presign their downloads. The access id is the server's, not a user's. */
export function presignedSignature(linkKey: Buffer, label: string): SignatureScheme<Lifetime> {
  const signer = {
    accessId: `NG${derivedKey(linkKey, `${label} id`, 8).toString('hex').toUpperCase()}`,
    secret: derivedKey(linkKey, `${label} secret`).toString('hex'),
    region: 'local',
    service: 's3',
  };
  return {
    sign: ({ host, path }, { nowMs, lifetimeSeconds }) =>
      presignedQuery({ method: 'GET', host, path }, signer, nowMs, lifetimeSeconds),
    verify: (query, { host, path }, nowMs) =>
      verifyPresigned(query, { method: 'GET', host, path }, signer, nowMs),
  };
}

function derivedKey(linkKey: Buffer, label: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', linkKey, '', `nameglass ${label}`, bytes));
}

function hmac(key: Buffer, lines: readonly string[]): Buffer {
  return createHmac('sha256', key).update(lines.join('\n')).digest();
}

/** Compared as text, because several spellings of base64 decode to the same bytes. */
function isSameText(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A repeated parameter is ambiguous and counts as missing. */
function singleValue(query: URLSearchParams, name: string): string {
  const [value = '', ...others] = query.getAll(name);
  return others.length === 0 ? value : '';
}
