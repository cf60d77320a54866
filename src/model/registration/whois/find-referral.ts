/** Where a WHOIS answer sends those who want to know more. Only plain host names: whoever writes an address or a port is not heeded. */
import { isIP } from 'node:net';
import { inForm } from '../../record/text-forms.ts';
import { readEntries } from './read-entries.ts';

const textLengthMax = 65_536;

export function findReferral(text: string): string | undefined {
  for (const { meaning, beside } of readEntries(text.slice(0, textLengthMax))) {
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
  const formed = inForm('host', text);
  return /^[a-z0-9.-]+$/i.test(text) && 'text' in formed && formed.text.includes('.') && isIP(text) === 0;
}
