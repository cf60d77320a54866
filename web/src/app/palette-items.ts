/** What the palette offers for a text: what was pasted, then everything the keyboard can do. */

import type { KeyBinding } from '../keys/key-registry.ts';
import { defang } from '../names/defang.ts';
import { guessList, guessPaste, type PasteGuess } from '../names/paste-guess.ts';
import type { TriageSearch } from '../pages/triage/triage-search.ts';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** What it is about, in somebody else's words. */
  readonly subject?: string;
  readonly keys?: string;
  readonly act:
    | { readonly search: TriageSearch }
    | { readonly domain: string }
    | { readonly run: () => void };
}

/** Where each kind can be shown. */
function ofGuess({ kind, value }: PasteGuess): readonly PaletteItem[] {
  const item = (label: string, search: TriageSearch): PaletteItem => ({
    id: `${kind} ${label}`,
    label,
    subject: kind === 'text' ? value : defang(value),
    act: { search },
  });
  switch (kind) {
    case 'domain':
      return [
        { id: 'domain page', label: 'Open the domain', subject: defang(value), act: { domain: value } },
        item('New lookalikes with the name', { q: value }),
        item('Watched domains with the name', { s: 'watched', q: value }),
        item('New lookalikes with the name server', { name_server: [value] }),
      ];
    case 'ip':
      return [
        item('New lookalikes at the address', { ip: [value] }),
        item('Watched domains at the address', { s: 'watched', ip: [value] }),
      ];
    case 'hash':
      return value.length === 16 ? [item('New lookalikes with the picture', { picture: [value] })] : [];
    case 'email':
      return [];
    case 'text':
      return value.length >= 2 ? [item('New lookalikes with the name', { q: value })] : [];
  }
}

export function paletteItems(typed: string, bindings: readonly KeyBinding[]): readonly PaletteItem[] {
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const commands = bindings
    .filter(({ keys, disabled, label }) => {
      const has = (word: string) => label.toLowerCase().includes(word);
      return keys !== 'Mod+k' && disabled === undefined && words.every(has);
    })
    .map(({ keys, label, run }): PaletteItem => ({ id: `key ${keys}`, label, keys, act: { run } }));
  if (text === '') return commands;
  const [first, ...others] = guessList(text);
  const guess = others.length === 0 ? guessPaste(text) : first;
  const pasted = guess ? ofGuess(guess) : [];
  const isIndicator = guess !== undefined && guess.kind !== 'text';
  return isIndicator ? [...pasted, ...commands] : [...commands, ...pasted];
}
