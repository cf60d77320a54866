/** Trigrams and the number of texts that contain each (document frequency): queries of the trigram index use the rarest ones. */
import type { Database } from '../../database.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, control characters included
const ascii = /^[\0-\x7f]*$/;

type Kind = 'name' | 'value';

/** Three leave few enough candidates; more would only cost time. */
const queriedMax = 3;

function trigramsOf(text: string): ReadonlySet<string> {
  const characters = Array.from(text);
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= characters.length; at += 1) trigrams.add(characters.slice(at, at + 3).join(''));
  return trigrams;
}

/**
 * A trigram of an ASCII text as a number, seven bits for each character: a number is counted without making a text of it first. One that other
 * texts contain as well is counted in both forms, and stored as their sum.
 */
type CountedTrigram = string | number;

function textOfTrigram(trigram: CountedTrigram): string {
  if (typeof trigram === 'string') return trigram;
  return String.fromCharCode(trigram >>> 14, (trigram >>> 7) & 0x7f, trigram & 0x7f);
}

/** Without a single trigram the index cannot be used. */
export function isTooShort(substring: string): boolean {
  return trigramsOf(substring).size === 0;
}

interface TextCount {
  texts: number;
  /** The number of the last text that was counted. */
  lastText: number;
}

/** Buffers the counts of one transaction and stores them at its end. */
export class TrigramCounts {
  readonly #add;
  readonly #added: Readonly<Record<Kind, Map<CountedTrigram, TextCount>>> = {
    name: new Map(),
    value: new Map(),
  };
  #lastText = 0;

  constructor(database: Database) {
    this.#add = database.prepare(
      'insert into trigram (of, trigram, texts) values (?, ?, ?) ' +
        'on conflict do update set texts = texts + excluded.texts',
    );
  }

  add(kind: Kind, text: string): void {
    const added = this.#added[kind];
    this.#lastText += 1;
    if (!ascii.test(text)) {
      for (const trigram of trigramsOf(text)) this.#count(added, trigram);
      return;
    }
    let trigram = (text.charCodeAt(0) << 7) | text.charCodeAt(1);
    for (let at = 2; at < text.length; at += 1) {
      trigram = ((trigram << 7) | text.charCodeAt(at)) & 0x1f_ffff;
      this.#count(added, trigram);
    }
  }

  /** Once for each text. */
  #count(added: Map<CountedTrigram, TextCount>, trigram: CountedTrigram): void {
    const known = added.get(trigram);
    if (!known) added.set(trigram, { texts: 1, lastText: this.#lastText });
    else if (known.lastText !== this.#lastText) {
      known.texts += 1;
      known.lastText = this.#lastText;
    }
  }

  reset(): void {
    this.#added.name.clear();
    this.#added.value.clear();
  }

  flush(): void {
    for (const kind of ['name', 'value'] as const) {
      const counted = Array.from(
        this.#added[kind],
        ([trigram, { texts }]) => [textOfTrigram(trigram), texts] as const,
      );
      for (const [trigram, texts] of counted.sort(([left], [right]) => (left < right ? -1 : 1)))
        this.#add.run(kind, trigram, texts);
    }
    this.reset();
  }
}

export class RarestTrigrams {
  readonly #texts;

  constructor(database: Database) {
    this.#texts = database.prepare('select texts from trigram where of = ? and trigram = ?').pluck();
  }

  /** The FTS5 query for texts with a substring, quoted so that nothing in it is syntax. Undefined where no text can contain it. */
  expressionFor(kind: Kind, substring: string): string | undefined {
    const counted = Array.from(trigramsOf(substring), (trigram) => ({
      trigram,
      texts: (this.#texts.get(kind, trigram) as number | undefined) ?? 0,
    }));
    if (counted.some(({ texts }) => texts === 0)) return undefined;
    return counted
      .sort((left, right) => left.texts - right.texts)
      .slice(0, queriedMax)
      .map(({ trigram }) => `"${trigram.replaceAll('"', '""')}"`)
      .join(' AND ');
  }
}
