/** The trigrams of texts, and how many texts have each: what is asked of an index is the rarest of them. */
import type { Database } from '../database.ts';

type Kind = 'name' | 'value';

/** Together they leave so few texts that more would only take time. */
const askedMax = 3;

function trigramsOf(text: string): ReadonlySet<string> {
  const characters = Array.from(text);
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= characters.length; at += 1) trigrams.add(characters.slice(at, at + 3).join(''));
  return trigrams;
}

/** Without a trigram there is nothing to ask an index for. */
export function isTooShort(part: string): boolean {
  return trigramsOf(part).size === 0;
}

/** Counts what one transaction adds, and stores it at its end. */
export class TrigramCounts {
  readonly #add;
  readonly #added: Readonly<Record<Kind, Map<string, number>>> = { name: new Map(), value: new Map() };

  constructor(database: Database) {
    this.#add = database.prepare(
      'insert into trigram (of, trigram, texts) values (?, ?, ?) ' +
        'on conflict do update set texts = texts + excluded.texts',
    );
  }

  note(kind: Kind, text: string): void {
    const added = this.#added[kind];
    for (const trigram of trigramsOf(text)) added.set(trigram, (added.get(trigram) ?? 0) + 1);
  }

  forget(): void {
    this.#added.name.clear();
    this.#added.value.clear();
  }

  make(): void {
    for (const kind of ['name', 'value'] as const) {
      for (const [trigram, texts] of [...this.#added[kind]].sort(([left], [right]) =>
        left < right ? -1 : 1,
      ))
        this.#add.run(kind, trigram, texts);
    }
    this.forget();
  }
}

export class TrigramChoice {
  readonly #texts;

  constructor(database: Database) {
    this.#texts = database.prepare('select texts from trigram where of = ? and trigram = ?').pluck();
  }

  /** What to ask the index for texts with a part, quoted, so that nothing in it is syntax. Undefined where no text can have it. */
  expressionFor(kind: Kind, part: string): string | undefined {
    const counted = Array.from(trigramsOf(part), (trigram) => ({
      trigram,
      texts: (this.#texts.get(kind, trigram) as number | undefined) ?? 0,
    }));
    if (counted.some(({ texts }) => texts === 0)) return undefined;
    return counted
      .sort((left, right) => left.texts - right.texts)
      .slice(0, askedMax)
      .map(({ trigram }) => `"${trigram.replaceAll('"', '""')}"`)
      .join(' AND ');
  }
}
