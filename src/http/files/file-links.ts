/**
 * Links to files of archives: `/files/<name>?Expires=<epoch seconds>&Signature=<text>`. They tell nothing of who made them, and
 * whoever has one may download with it. A link is good only as the very text that was made: nothing is decoded, so no other
 * spelling of a name, and no second parameter, is ever looked at.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../model/problem.ts';
import { split } from '../address.ts';

export const filesPrefix = '/files';

const queryForm = /^\?Expires=([1-9]\d{0,10})&Signature=([A-Za-z0-9_-]{43})$/;

export interface FileLinks {
  make(name: string, nowMs: number, lifetimeSeconds: number): string;
  /** The name of the file that a link opens, by the URL as it was sent. */
  getName(originalUrl: string, nowMs: number): string;
}

/** `downloadUrl` tells scheme and host as clients reach them. The Host header of a request says nothing of them. */
export function fileLinks(downloadUrl: () => string, mountPrefix: string, linkKey: Buffer): FileLinks {
  const before = `${mountPrefix}${filesPrefix}/`;
  const key = Buffer.from(hkdfSync('sha256', linkKey, '', 'nameglass file links', 32));
  // HEAD asks for nothing that GET does not tell, so it is signed as GET.
  const sign = (path: string, expires: string) =>
    createHmac('sha256', key)
      .update(['GET', new URL(downloadUrl()).host, path, expires].join('\n'))
      .digest('base64url');
  return {
    make(name, nowMs, lifetimeSeconds) {
      const path = before + name;
      const expires = String(Math.floor(nowMs / 1000) + lifetimeSeconds);
      return `${downloadUrl()}${path}?Expires=${expires}&Signature=${sign(path, expires)}`;
    },
    getName(originalUrl, nowMs) {
      const { path, query } = split(originalUrl);
      const [, expires = '', signature = ''] = queryForm.exec(query) ?? [];
      // As text: several spellings of base64 are the same bytes.
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(path, expires))];
      if (given.length !== expected.length || !timingSafeEqual(given, expected) || !path.startsWith(before)) {
        throw new Problem(
          'credentials-invalid',
          'The signature does not match the URL. Use the link as it was listed.',
        );
      }
      if (nowMs >= Number(expires) * 1000) {
        throw new Problem('credentials-expired', 'The link has expired. List the files again for a new one.');
      }
      return path.slice(before.length);
    },
  };
}
