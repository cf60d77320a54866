/**
 * The registrable domain that an entry (domain, host or URL) refers to. A malicious host below a domain says nothing about the
 * domain, and a public suffix is not malicious because of its customers, each of whom has a domain of their own.
 */
import { findRegistrableDomain } from '../../model/registrable-domain.ts';
import { threats } from '../../model/risk/threat.ts';
import type { VerdictLabel } from '../../model/risk/verdict.ts';
import { cleanName } from '../sources/clean-name.ts';

export interface ListedName {
  readonly domain: string;
  /** The entry is a page URL, possibly not under the control of the domain's owner. */
  readonly isPage: boolean;
}

/** Why an entry is skipped: it is invalid, it is a single host below a domain, or the domain is shared by many users. */
export type SkipReason = 'invalid' | 'hosts' | 'shared';

const textLengthMax = 8192;
const authorityLengthMax = 512;

export function listedName(text: string, label: VerdictLabel): ListedName | SkipReason {
  if (text.length > textLengthMax) return 'invalid';
  const { host, isPage } = hostOf(refanged(text));
  const name = cleanName(host);
  if (!name) return 'invalid';
  const { domain } = name;
  if (name.host !== domain && name.host !== `www.${domain}`) return 'hosts';
  return isBadLabel(label) && isSuffix(domain) ? 'shared' : { domain, isPage };
}

export function isBadLabel(label: VerdictLabel): boolean {
  return (threats as readonly string[]).includes(label);
}

/** Refangs a defanged indicator: `hxxp://evil[.]example`. */
function refanged(text: string): string {
  const dotted = text.includes('[.]') ? text.replaceAll('[.]', '.') : text;
  return dotted.replace(/^hxxp/i, 'http').trim();
}

function hostOf(text: string): { readonly host: string; readonly isPage: boolean } {
  if (!/[/:?]/.test(text)) return { host: text, isPage: false };
  const hasScheme = text.includes('://');
  const [authority = ''] = (hasScheme ? text.slice(text.indexOf('://') + 3) : text).split(/[/?#\\]/, 1);
  // The URL parser is slow for long hosts. Without a scheme, text with an @ is a mail address.
  const isInvalid = authority.length > authorityLengthMax || (!hasScheme && authority.includes('@'));
  const url = isInvalid ? null : URL.parse(hasScheme ? text : `http://${text}`);
  return { host: url?.hostname ?? '', isPage: url !== null && (url.pathname !== '/' || url.search !== '') };
}

/** Whether users can register names below it. */
function isSuffix(domain: string): boolean {
  const below = `x.${domain}`;
  return findRegistrableDomain(below) === below;
}
