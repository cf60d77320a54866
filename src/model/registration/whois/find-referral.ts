/** The WHOIS server that an answer refers to. Host names only: addresses and ports are ignored, since the text is untrusted. */
import { isIP } from 'node:net';
import { normaliseText } from '../../record/normalise-text.ts';
import type { Entry } from './read-entries.ts';

export function findReferral(entries: readonly Entry[]): string | undefined {
  for (const { meaning, beside } of entries) {
    if (meaning?.is !== 'whois-server') continue;
    const host = beside
      .slice(0, 300)
      .replace(/^r?whois:\/\//i, '')
      .replace(/[./\s]+$/, '');
    if (isPlainHost(host)) return host.toLowerCase();
  }
  return undefined;
}

export function isPlainHost(text: string): boolean {
  const formed = normaliseText('host', text);
  return /^[a-z0-9.-]+$/i.test(text) && 'text' in formed && formed.text.includes('.') && isIP(text) === 0;
}
