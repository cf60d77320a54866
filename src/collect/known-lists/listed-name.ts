/**
 * Which domain a list speaks of when it names a domain, a host or a URL. A bad host below a domain says nothing of the domain, and a domain
 * below which everybody can have a name is not bad for what its customers do; each customer has a domain of their own.
 */
import { findRegistrableDomain } from '../../model/registrable-domain.ts';
import { threats } from '../../model/risk/threat.ts';
import type { VerdictLabel } from '../../model/risk/verdict.ts';
import { cleanName } from '../sources/clean-name.ts';

export interface ListedName {
  readonly domain: string;
  /** The list names one page of it, and perhaps not its owner. */
  readonly isPage: boolean;
}

/** Why a name stands for no domain: it is none, it is one host of a domain, or many share it. */
export type PassedOver = 'invalid' | 'hosts' | 'shared';

const textLengthMax = 8192;
const authorityLengthMax = 512;

export function listedName(text: string, label: VerdictLabel): ListedName | PassedOver {
  if (text.length > textLengthMax) return 'invalid';
  const { host, isPage } = hostOf(plainlyWritten(text));
  const name = cleanName(host);
  if (!name) return 'invalid';
  const { domain } = name;
  if (name.host !== domain && name.host !== `www.${domain}`) return 'hosts';
  return isBadLabel(label) && isSuffix(domain) ? 'shared' : { domain, isPage };
}

export function isBadLabel(label: VerdictLabel): boolean {
  return (threats as readonly string[]).includes(label);
}

/** `hxxp://evil[.]example` is how people write what nobody shall click on. */
function plainlyWritten(text: string): string {
  const dotted = text.includes('[.]') ? text.replaceAll('[.]', '.') : text;
  return dotted.replace(/^hxxp/i, 'http').trim();
}

function hostOf(text: string): { readonly host: string; readonly isPage: boolean } {
  if (!/[/:?]/.test(text)) return { host: text, isPage: false };
  const isWhole = text.includes('://');
  const [authority = ''] = (isWhole ? text.slice(text.indexOf('://') + 3) : text).split(/[/?#\\]/, 1);
  // The parser takes long over a long host. Without a scheme, what has an @ is an e-mail address.
  const isHopeless = authority.length > authorityLengthMax || (!isWhole && authority.includes('@'));
  const url = isHopeless ? null : URL.parse(isWhole ? text : `http://${text}`);
  return { host: url?.hostname ?? '', isPage: url !== null && (url.pathname !== '/' || url.search !== '') };
}

/** Whether everybody can have a name below it. */
function isSuffix(domain: string): boolean {
  const below = `x.${domain}`;
  return findRegistrableDomain(below) === below;
}
