/** What `nameglass init` is to set up: the answers to its questions, or the values of its flags. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ListedLog } from '../../collect/sources/certificate-logs/log-list.ts';
import { findUsernameFault } from '../../model/account/api-key.ts';
import { findTermFault } from '../../model/detect/monitor-term.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { getOwnDomainChange } from '../../product/detect/own-domains.ts';

export interface MailAnswers {
  readonly server: Settings['mail'];
  /** Empty for no alerts. */
  readonly alertsTo: string;
}

export interface Answers {
  readonly terms: readonly string[];
  readonly ownDomains: readonly string[];
  readonly logs: readonly ListedLog[];
  readonly zoneFiles: Settings['sources']['zoneFiles'];
  readonly nameLists: Settings['sources']['nameLists'];
  readonly reputationLists: Settings['risk']['lists'];
  /** Whether every new domain is probed, not only lookalikes. */
  readonly probesAll: boolean;
  readonly mail: MailAnswers | undefined;
  readonly data: string;
  readonly host: string;
  readonly port: number;
  /** Empty if there is none. */
  readonly publicUrl: string;
  /** Empty for no account. */
  readonly username: string;
}

function expected(message: string): Problem {
  return new Problem('invalid-parameters', message);
}

/** Separated by commas. A term may contain spaces. */
export function parseTerms(text: string): readonly string[] {
  const terms = [...new Set(text.split(',').map((term) => term.trim()))].filter(Boolean);
  for (const term of terms) {
    const fault = findTermFault(term);
    if (fault !== undefined) throw expected(`${term}: ${fault}`);
  }
  return terms;
}

/** Separated by commas or spaces. */
export function parseList(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}

export function parseOwnDomains(text: string): readonly string[] {
  const domains = parseList(text);
  return domains.length === 0 ? [] : getOwnDomainChange(domains, []).add;
}

export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw expected('a port is a number from 0 to 65535');
}

export function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  if (text === '') return '';
  if (!url || !/^https?:$/.test(url.protocol) || !['', '/'].includes(url.pathname) || url.search !== '')
    throw expected('scheme and host, such as https://names.example.org');
  return url.origin;
}

export function parseUsername(text: string): string {
  const fault = text === '' ? undefined : findUsernameFault(text);
  if (fault !== undefined) throw expected(fault);
  return text;
}

export function parseMailAddress(text: string): string {
  if (text === '' || isMailAddress(text)) return text;
  throw expected('an e-mail address, such as soc@example.org');
}

export function parseSecurity(text: string): Settings['mail']['security'] {
  const found = (['starttls', 'tls', 'none'] as const).find((one) => one === text);
  if (found === undefined) throw expected('starttls, tls or none');
  return found;
}

export function parseProbes(text: string): boolean {
  if (text === 'all' || text === 'lookalikes') return text === 'all';
  throw expected('all or lookalikes');
}

/** The port that goes with the encryption. */
export function usualMailPort(security: Settings['mail']['security']): number {
  return { starttls: 587, tls: 465, none: 25 }[security];
}

/** Of the operating system, where it is usable here. */
export function suggestedUsername(): string {
  const { username } = userInfo();
  return username === 'root' || findUsernameFault(username) !== undefined ? 'admin' : username;
}

export function readPassword(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw expected(`the password cannot be read from ${file}`);
  }
}
