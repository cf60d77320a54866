/** One registry of what the keyboard does. The help and the palette are made from it, so neither can differ from what happens. */

export interface KeyBinding {
  /** `j`, `Shift+X`, `g d`, `Mod+k` (Ctrl or Command), `Escape`. */
  readonly keys: string;
  /** Other keys that do the same. */
  readonly also?: readonly string[];
  readonly label: string;
  readonly group: 'Move' | 'Select' | 'Decide' | 'Domain' | 'Lists' | 'Go' | 'General';
  readonly run: () => void;
  /** Why it cannot be used now. */
  readonly disabled?: string | undefined;
}

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** How a key press is written in a binding; undefined for those that are never ours. */
export function chordOf(press: KeyPress): string | undefined {
  if (['Shift', 'Control', 'Alt', 'Meta'].includes(press.key) || press.altKey) return undefined;
  const letter = /^\p{Lu}$/u.test(press.key);
  if (press.ctrlKey || press.metaKey) return `Mod+${press.key.toLowerCase()}`;
  return letter && press.shiftKey ? `Shift+${press.key}` : press.key;
}

/** While somebody types, everything else belongs to the field. */
const isAlwaysOurs = (keys: string): boolean => /^(?:Mod\+|Escape)/.test(keys);
const isCharacter = (keys: string): boolean => !/^(?:Mod\+|Escape|Enter|Arrow|Home|End|Page)/.test(keys);

export class KeyRegistry {
  /** Later layers come first: a dialog before the page before the app. */
  readonly #layers: (() => readonly KeyBinding[])[] = [];
  #prefix = '';
  /** Keys that are characters can be switched off (WCAG 2.1.4); all others stay. */
  charactersEnabled = true;

  add(layer: () => readonly KeyBinding[]): () => void {
    this.#layers.unshift(layer);
    return () => {
      this.#layers.splice(this.#layers.indexOf(layer), 1);
    };
  }

  all(): readonly KeyBinding[] {
    const seen = new Set<string>();
    return this.#layers.flatMap((layer) => layer()).filter(({ keys }) => !seen.has(keys) && seen.add(keys));
  }

  /** The binding of a key press, if it completes one. */
  find(press: KeyPress, typing: boolean): KeyBinding | undefined {
    const chord = chordOf(press);
    if (chord === undefined) return undefined;
    const keys = this.#prefix === '' ? chord : `${this.#prefix} ${chord}`;
    this.#prefix = '';
    if (typing ? !isAlwaysOurs(chord) : isCharacter(chord) && !this.charactersEnabled) return undefined;
    const all = this.all();
    const found = all.find((binding) => binding.keys === keys || binding.also?.includes(keys));
    if (found) return found.disabled === undefined ? found : undefined;
    if (all.some((binding) => binding.keys.startsWith(`${keys} `))) this.#prefix = keys;
    return undefined;
  }
}
