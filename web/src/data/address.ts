/** The search part of an address as plain text: `?s=new&tld=uk&tld=orb`, readable, and the same wherever it is pasted. */

export type SearchValue = string | readonly string[] | true | undefined;
export type RawSearch = Readonly<Record<string, SearchValue>>;

export function parseSearch(text: string): Record<string, string | readonly string[]> {
  const parameters = new URLSearchParams(text);
  const found: Record<string, string | readonly string[]> = {};
  for (const key of new Set(parameters.keys())) {
    const values = parameters.getAll(key);
    found[key] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return found;
}

export function stringifySearch(search: RawSearch): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value === undefined) continue;
    for (const one of value === true ? ['1'] : [value].flat()) parameters.append(key, one);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** The last value, unless it is empty. */
export function oneText(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.at(-1) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** All values, each once; undefined where there is none. */
export function severalTexts(value: unknown): readonly string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  return texts.length === 0 ? undefined : [...new Set(texts)];
}

export function oneOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === oneText(value));
}

/** Members that have a value: what is undefined is not part of an address. */
export function definedOnly<Members extends object>(
  members: Members,
): { [Key in keyof Members]?: NonNullable<Members[Key]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
