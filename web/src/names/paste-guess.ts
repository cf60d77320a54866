/** What was pasted: a domain, an address, a hash …, defanged or not. */
import { refang } from './defang.ts';

export type PasteKind = 'domain' | 'ip' | 'hash' | 'email' | 'search-hash' | 'text';

export interface PasteGuess {
  readonly kind: PasteKind;
  /** Refanged; of a URL the host name. */
  readonly value: string;
}

const label = /^[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?$/u;
const hash = /^(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** Base64url that begins with the byte 1, the version of the format. */
const searchHash = /^A[Q-Za-f][\w-]{22,}$/;
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

function isIpv6(text: string): boolean {
  return text.includes(':') && /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);
}

function isDomain(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.');
  return (
    text.length <= 254 &&
    labels.length >= 2 &&
    labels.every((one) => label.test(one)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** The host of a URL without a parser that would rewrite it: `http://xn--…` and `http://пример…` stay what they are. */
function hostOf(text: string): string | undefined {
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^\s/?#@]*@)?(\[[^\]\s]+\]|[^\s/?#:]+)/i.exec(text);
  return match?.[1]?.replace(/^\[(.*)\]$/, '$1');
}

/** One indicator; undefined where there is nothing to guess. */
export function guessPaste(pasted: string): PasteGuess | undefined {
  const text = refang(pasted.trim().replace(/^[<"'([]+(?=\S)(?![.:@])|[>"',;)]+$/g, ''));
  if (text === '') return undefined;
  const host = hostOf(text) ?? text.replace(/^([^\s/:]+\.[^\s/:]+)(?::\d+)?\/.*$/, '$1').replace(/:\d+$/, '');
  if (isIpv4(host)) return { kind: 'ip', value: host };
  if (isIpv6(host) || isIpv6(text)) return { kind: 'ip', value: (isIpv6(host) ? host : text).toLowerCase() };
  if (hash.test(text)) return { kind: 'hash', value: text.toLowerCase() };
  if (email.test(text) && hostOf(text) === undefined) return { kind: 'email', value: text };
  if (isDomain(host)) return { kind: 'domain', value: host.replace(/\.$/, '').toLowerCase() };
  return { kind: searchHash.test(text) ? 'search-hash' : 'text', value: text };
}

const listMax = 10_000;

/** Every indicator of a pasted list, one per line or separated by blanks or commas, each once. */
export function guessList(pasted: string): readonly PasteGuess[] {
  const guesses = pasted
    .split(/[\s,;]+/)
    .slice(0, listMax)
    .flatMap((part) => guessPaste(part) ?? []);
  return [...new Map(guesses.map((guess) => [`${guess.kind} ${guess.value}`, guess])).values()];
}
