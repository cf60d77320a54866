/** Links to spans of channels: they tell neither key nor username, and whoever has one may download with it. */
import { hkdfSync } from 'node:crypto';
import { judgePresigned, presignedQuery } from '../../model/presigned-url.ts';
import { Problem } from '../../model/problem.ts';
import type { ChannelSpan } from '../../product/batch/channel-data.ts';
import { findSpan, rangeName } from '../../product/batch/range-name.ts';
import { split } from '../address.ts';

export const rangePrefix = '/range';

export interface RangeLinks {
  make(span: ChannelSpan, nowMs: number, lifetimeSeconds: number): string;
  /** The span that a link opens, by the URL as it was sent. */
  getSpan(originalUrl: string, nowMs: number): ChannelSpan;
}

/** `downloadUrl` tells scheme and host as clients reach them. The Host header of a request says nothing of them. */
export function rangeLinks(downloadUrl: () => string, mountPrefix: string, linkKey: Buffer): RangeLinks {
  const hostOf = (url: string) => new URL(url).host;
  const before = `${mountPrefix}${rangePrefix}/`;
  const derived = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', linkKey, '', `nameglass range links ${purpose}`, bytes)).toString('hex');
  const signer = {
    accessId: `NG${derived('id', 8).toUpperCase()}`,
    secret: derived('secret', 32),
    region: 'local',
    service: 's3',
  };
  return {
    make(span, nowMs, lifetimeSeconds) {
      const path = before + rangeName(span);
      const base = downloadUrl();
      const query = presignedQuery(
        { method: 'GET', host: hostOf(base), path },
        signer,
        nowMs,
        lifetimeSeconds,
      );
      return `${base}${path}?${query}`;
    },
    getSpan(originalUrl, nowMs) {
      const { path, query } = split(originalUrl);
      // HEAD asks for nothing that GET does not tell, so it is signed as GET.
      const target = { method: 'GET', host: hostOf(downloadUrl()), path };
      const verdict = judgePresigned(query.slice(1), target, signer, nowMs);
      if (verdict === 'altered') {
        throw new Problem(
          'credentials-invalid',
          'The signature does not match the URL. Use the link as it was made.',
        );
      }
      if (verdict === 'expired') {
        const advice = 'the URL has expired. Create a new one.';
        throw new Problem('credentials-expired', `Authentication is unable: ${advice}`);
      }
      const span = path.startsWith(before) ? findSpan(path.slice(before.length)) : undefined;
      if (!span) throw new Problem('not-found', 'There is no such range.');
      return span;
    },
  };
}
