/** Facts of a pack, as the stores give them, and a key. */
import sharp from 'sharp';
import type { PackFacts, SourceItem } from '../../../src/product/evidence/pack-facts.ts';
import { signingKey } from '../../../src/product/evidence/signing-key.ts';

export const key = signingKey(Buffer.alloc(32, 1));
export const keyDer: Buffer = key.export({ type: 'pkcs8', format: 'der' });

const item = (kind: string, asked: string, text: string): SourceItem => ({
  kind,
  collector: 'web',
  asked,
  address: '192.0.2.1',
  request: `GET ${asked}`,
  firstMs: 1_760_000_000_000,
  seenMs: 1_760_000_360_000,
  mediaType: 'text/plain',
  isTruncated: false,
  bytes: Buffer.from(text),
});

const background = { create: { width: 64, height: 48, channels: 3, background: '#446688' } } as const;
const picture = await sharp(background).png().toBuffer();

export const facts: PackFacts = {
  id: 'p1',
  madeMs: 1_760_001_000_000,
  server: 'https://nameglass.example',
  recipient: 'Registrar Ltd',
  note: 'Phishing of customers',
  subjects: [
    {
      domain: 'xn--pple-43d.example',
      record: { domain: 'xn--pple-43d.example', website_title: 'Sign in \u202E\u0007\u4E2D <b>now</b>' },
      risk: { score: 99, status: 'full', reasons: [{ points: 40, reason: 'name resembles a brand' }] },
      lookalikes: [
        {
          term: 'apple',
          class: 'homoglyph',
          explanation: '"аpple" is the term in characters that look alike.',
        },
      ],
      abuseContacts: [{ name: 'Registrar Ltd', emails: ['abuse@registrar.example'], phone: '123' }],
      timeline: [
        { atMs: 1_760_000_000_000, field: 'ip', before: undefined, after: ['192.0.2.1'], source: 'dns' },
      ],
      items: [
        item(
          'http-head',
          'http://xn--pple-43d.example/',
          'HTTP/1.1 302 Found\r\nLocation: https://evil.example/\r\n',
        ),
        item('http-body', 'https://evil.example/', '<html>password</html>'),
        { ...item('screenshot', 'https://evil.example/', ''), mediaType: 'image/png', bytes: picture },
      ],
      leftOut: 0,
    },
  ],
};
