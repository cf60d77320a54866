/**
 * Links to pictures: `/screenshot_image?domain=…&ts=…&rurl=…&token=<64 hex>`. They do not expire; whoever has one may look, and goes
 * on to add in which size. So unlike other links this one is read by its parameters, in any order and spelling, and only the three that
 * say which picture are signed.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../model/problem.ts';
import type { Screenshot } from '../../store/image-store.ts';
import { split } from '../address.ts';

export const screenshotPath = '/screenshot_image';

export interface PictureTarget {
  readonly domain: string;
  readonly capturedMs: number;
  /** What else was sent. */
  readonly wishes: URLSearchParams;
}

export interface ScreenshotLinks {
  make(screenshot: Pick<Screenshot, 'domain' | 'capturedMs' | 'url'>): string;
  /** What a link opens, by the URL as it was sent. */
  getTarget(originalUrl: string): PictureTarget;
}

const tokenForm = /^[0-9a-f]{64}$/;

/** `screenshotsUrl` tells scheme and host as clients reach them. The Host header of a request says nothing of them. */
export function screenshotLinks(
  screenshotsUrl: () => string,
  mountPrefix: string,
  linkKey: Buffer,
): ScreenshotLinks {
  const key = Buffer.from(hkdfSync('sha256', linkKey, '', 'nameglass screenshot links', 32));
  const sign = (...signed: readonly string[]) =>
    createHmac('sha256', key).update(signed.join('\n')).digest('hex');
  return {
    make({ domain, capturedMs, url }) {
      const ts = new Date(capturedMs).toISOString();
      const query = new URLSearchParams({ domain, ts, rurl: url, token: sign(domain, ts, url) });
      return `${screenshotsUrl()}${mountPrefix}${screenshotPath}?${query.toString()}`;
    },
    getTarget(originalUrl) {
      const wishes = new URLSearchParams(split(originalUrl).query);
      const [domain, ts, rurl, token] = ['domain', 'ts', 'rurl', 'token'].map((name) =>
        onlyOne(wishes, name),
      );
      const expected = sign(domain as string, ts as string, rurl as string);
      if (!isSame(token as string, expected)) {
        throw new Problem(
          'credentials-invalid',
          'The token does not belong to this domain, ts and rurl. Use the link as it was given.',
        );
      }
      return { domain: domain as string, capturedMs: Date.parse(ts as string), wishes };
    },
  };
}

function isSame(token: string, expected: string): boolean {
  return tokenForm.test(token) && timingSafeEqual(Buffer.from(token), Buffer.from(expected));
}

/** A parameter that comes twice says nothing for certain. */
function onlyOne(query: URLSearchParams, name: string): string {
  const [value = '', ...others] = query.getAll(name);
  return others.length === 0 ? value : '';
}
