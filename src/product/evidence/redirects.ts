/** The redirects that a probe of the web site followed, read from the kept heads of responses. */
import type { SourceItem } from './pack-facts.ts';
import { instant, plainText } from './plain-text.ts';

export interface Redirect {
  readonly at: string;
  readonly url: string;
  readonly status: number;
  /** Empty if the response redirects nowhere. */
  readonly location: string;
}

export function redirectsOf(items: readonly SourceItem[]): readonly Redirect[] {
  return items
    .filter(({ kind }) => kind === 'http-head')
    .map(({ seenMs, asked, bytes }) => {
      const head = Buffer.from(bytes).toString('latin1');
      return {
        at: instant(seenMs),
        url: plainText(asked, 500),
        status: Number(/^HTTP\/\d\.\d (\d{3})/.exec(head)?.[1] ?? 0),
        location: plainText(/\r\nlocation: ([^\r\n]*)/i.exec(head)?.[1] ?? '', 500),
      };
    });
}
