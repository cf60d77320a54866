/** Patterns of domain names in feed filters: a name, or a part of one with a `*` at one end or both. */

export type NameMatch = (name: string) => boolean;

/** Whether stars are at the ends alone. */
export function isDomainPattern(pattern: string): boolean {
  return !pattern.slice(1, -1).includes('*');
}

/** Matches lower-case names against any of the patterns. */
export function matchAny(patterns: readonly string[]): NameMatch {
  const exact = new Set<string>();
  const others: NameMatch[] = [];
  for (const written of patterns) {
    const pattern = written.toLowerCase();
    if (pattern.includes('*')) others.push(starred(pattern));
    else exact.add(pattern);
  }
  return (name) => exact.has(name) || others.some((matches) => matches(name));
}

function starred(pattern: string): NameMatch {
  const text = pattern.replaceAll('*', '');
  if (text === '') return () => true;
  if (!pattern.endsWith('*')) return (name) => name.endsWith(text);
  if (!pattern.startsWith('*')) return (name) => name.startsWith(text);
  return (name) => name.includes(text);
}
