/** What the palette offers for a text: what was pasted, then everything the keyboard can do. */
import { type RawSearch, stringifySearch } from '../data/address.ts';
import type { KeyBinding } from '../keys/key-registry.ts';
import { defang } from '../names/defang.ts';
import { guessList, guessPaste, type PasteGuess } from '../names/paste-guess.ts';
import type { TriageSearch } from '../pages/triage/triage-search.ts';
import { paletteWords as words } from '../words/app.ts';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** What it is about, in somebody else's words. */
  readonly subject?: string;
  readonly keys?: string;
  /** An address below `/ui`, or what a key does. */
  readonly act: { readonly href: string } | { readonly run: () => void };
}

/** An item about what was pasted. */
type Offer = readonly [label: string, href: string];

const page = (path: string, value: string): string => `/${path}/${encodeURIComponent(value)}`;
const search = (parameters: RawSearch): string => `/search${stringifySearch(parameters)}`;
const passiveDns = (name: string): Offer => [words.passiveDns, `/pdns${stringifySearch({ name })}`];
const triage = (filter: TriageSearch): string => `/triage${stringifySearch({ ...filter })}`;

/** Where each kind can be shown, the likeliest first. */
function offersFor({ kind, value }: PasteGuess): readonly Offer[] {
  switch (kind) {
    case 'domain':
      return [
        [words.openDomain, page('domain', value)],
        [words.searchFor, search({ domain: value })],
        passiveDns(value),
        [words.openNameServer, page('ns', value)],
        [words.newWithName, triage({ q: value })],
        [words.watchedWithName, triage({ s: 'watched', q: value })],
        [words.newWithNameServer, triage({ name_server: [value] })],
      ];
    case 'ip':
      return [
        [words.openAddress, page('ip', value)],
        [words.searchFor, search({ ip: value })],
        passiveDns(value),
        [words.newAtAddress, triage({ ip: [value] })],
        [words.watchedAtAddress, triage({ s: 'watched', ip: [value] })],
      ];
    case 'email':
      return [
        [words.openEmail, page('mail', value)],
        [words.searchFor, search({ email: value })],
      ];
    case 'hash':
      if (value.length === 16) return [[words.newWithPicture, triage({ picture: [value] })]];
      return value.length === 40 ? [[words.openCertificate, page('cert', value)]] : [];
    case 'search-hash':
      return [[words.openSearchHash, page('search/h', value)]];
    case 'text':
      return value.length >= 2 ? [[words.newWithName, triage({ q: value })]] : [];
  }
}

/** A search for each kind of a pasted list. */
const listed = { domain: words.searchNames, ip: words.searchAddresses } as const;

function ofList(guesses: readonly PasteGuess[]): readonly PaletteItem[] {
  return (['domain', 'ip'] as const).flatMap((kind): readonly PaletteItem[] => {
    const values = guesses.filter((guess) => guess.kind === kind).map(({ value }) => value);
    if (values.length < 2) return [];
    return [
      { id: `list ${kind}`, label: listed[kind](values.length), act: { href: search({ [kind]: values }) } },
    ];
  });
}

const ofGuess = (guess: PasteGuess): readonly PaletteItem[] =>
  offersFor(guess).map(([label, href]) => ({
    id: href,
    label,
    subject: guess.kind === 'text' || guess.kind === 'search-hash' ? guess.value : defang(guess.value),
    act: { href },
  }));

export function paletteItems(typed: string, bindings: readonly KeyBinding[]): readonly PaletteItem[] {
  const text = typed.trim();
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
  const commands = bindings
    .filter(({ keys, disabled, label }) => {
      const has = (part: string) => label.toLowerCase().includes(part);
      return keys !== 'Mod+k' && disabled === undefined && parts.every(has);
    })
    .map(({ keys, label, run }): PaletteItem => ({ id: `key ${keys}`, label, keys, act: { run } }));
  if (text === '') return commands;
  const guesses = guessList(text);
  const ofAll = ofList(guesses);
  const guess = guesses.length > 1 ? guesses[0] : guessPaste(text);
  const pasted = guess ? ofGuess(guess) : [];
  const isIndicator = guess !== undefined && guess.kind !== 'text';
  return isIndicator ? [...ofAll, ...pasted, ...commands] : [...commands, ...ofAll, ...pasted];
}
