/** What a terminal sends when keys are pressed, as the names that the table of keys has. */

const sequences: Readonly<Record<string, string>> = {
  '[A': 'ArrowUp',
  '[B': 'ArrowDown',
  '[C': 'ArrowRight',
  '[D': 'ArrowLeft',
  '[H': 'Home',
  '[F': 'End',
  '[1~': 'Home',
  '[4~': 'End',
  '[5~': 'PageUp',
  '[6~': 'PageDown',
  OA: 'ArrowUp',
  OB: 'ArrowDown',
  OH: 'Home',
  OF: 'End',
};

/** A whole sequence after Escape; one that we do not know is skipped as a whole, so that its letters decide about nothing. */
const afterEscape = /^(?:\[[0-?]*[ -/]*[@-~]|O[ -~])/;
/** The beginning of one, whose rest may come with the next chunk. */
const unfinished = /^(?:\[[0-?]*[ -/]*|O)?$/;

/** What is pasted is text, never a command: `Paste+w` decides about nothing. */
const [pasteBegins, pasteEnds] = ['[200~', '[201~'];

export class KeyDecoder {
  #rest = '';
  #isPasting = false;

  /** Whether an Escape waits for what may follow it. */
  get isPending(): boolean {
    return this.#rest !== '';
  }

  /** The keys of a chunk. What may go on in the next one is kept. */
  read(chunk: string): readonly string[] {
    const keys: string[] = [];
    let text = this.#rest + chunk;
    this.#rest = '';
    while (text !== '') {
      if (text.startsWith('\u001b')) {
        const after = text.slice(1);
        const [sequence] = afterEscape.exec(after) ?? [];
        if (sequence === undefined && unfinished.test(after)) {
          this.#rest = text;
          break;
        }
        if (sequence === pasteBegins) this.#isPasting = true;
        else if (sequence === pasteEnds) this.#isPasting = false;
        else if (this.#isPasting) keys.push('Paste+');
        else if (sequence === undefined) keys.push('Escape');
        else if (sequences[sequence]) keys.push(sequences[sequence]);
        text = after.slice(sequence?.length ?? 0);
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
      const key = this.#isPasting ? `Paste+${character}` : keyOf(character);
      if (key !== undefined) keys.push(key);
      text = text.slice(character.length);
    }
    return keys;
  }

  /** Nothing followed: the Escape was the key. */
  end(): readonly string[] {
    const { length } = this.#rest;
    this.#rest = '';
    return length === 0 ? [] : ['Escape'];
  }
}

function keyOf(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code === 13 || code === 10) return 'Enter';
  if (code === 127 || code === 8) return 'Backspace';
  if (code === 9) return 'Tab';
  if (code < 27) return `Mod+${String.fromCharCode(code + 96)}`;
  if (code < 32 || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(character)) return undefined;
  return /^\p{Lu}$/u.test(character) ? `Shift+${character}` : character;
}
