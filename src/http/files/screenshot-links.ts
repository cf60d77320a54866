/**
 * Links to screenshots: `/screenshot_image?domain=…&ts=…&rurl=…&token=<64 hex>`. They do not expire. Clients add parameters for the size,
 * so only the three that identify the image are signed.
 */
import type { Screenshot } from '../../store/image-store.ts';
import { permanentToken } from '../links/signature-schemes.ts';
import type { LinkKind, SignedLinks } from '../links/signed-links.ts';

export type ScreenshotTarget = Pick<Screenshot, 'domain' | 'capturedMs' | 'url'>;

export type ScreenshotLinks = SignedLinks<ScreenshotTarget, void>;

export const screenshotLinks: LinkKind<ScreenshotTarget, void> = {
  prefix: '/screenshot_image',
  scheme: (linkKey) => permanentToken(linkKey, 'screenshot links', ['domain', 'ts', 'rurl']),
  write: ({ domain, capturedMs, url }) => ({
    path: '',
    parameters: { domain, ts: new Date(capturedMs).toISOString(), rurl: url },
  }),
  read: (_path, parameters) => {
    const [domain = '', ts = '', url = ''] = ['domain', 'ts', 'rurl'].map(
      (name) => parameters.get(name) ?? '',
    );
    return { domain, capturedMs: Date.parse(ts), url };
  },
};
