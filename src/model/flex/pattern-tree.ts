/** The syntax tree of a regular expression or a glob. Letters are in lower case throughout, since patterns ignore case. */

export type PatternTree =
  /** One character out of these; see `everyChar` for those that may occur. */
  | { readonly kind: 'char'; readonly chars: string }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence'; readonly of: readonly PatternTree[] }
  | { readonly kind: 'either'; readonly of: readonly PatternTree[] }
  /** `max` may be Infinity. */
  | { readonly kind: 'repeat'; readonly of: PatternTree; readonly min: number; readonly max: number };

/** Represents all non-ASCII characters, which no pattern can distinguish. */
export const beyondAscii = '\x80';

/** ASCII without capital letters, and `beyondAscii`, in order of code. */
export const everyChar = Array.from({ length: 129 }, (_, code) => String.fromCharCode(code))
  .filter((char) => char === char.toLowerCase())
  .join('');

/** The parsers return these very objects, so that they can be compared by identity. */
export const anyChar: PatternTree = { kind: 'char', chars: everyChar };
export const anyString: PatternTree = { kind: 'repeat', of: anyChar, min: 0, max: Infinity };

/** Without what an unanchored search implies anyway: `^.*` or `.*` at the start, `.*$` or `.*` at the end. */
export function withoutOpenEnds(tree: PatternTree): PatternTree {
  if (tree.kind !== 'sequence') return tree;
  let parts = tree.of;
  const opening = parts[0]?.kind === 'start' ? 1 : 0;
  if (parts[opening] === anyString) parts = parts.slice(opening + 1);
  const closing = parts.at(-1)?.kind === 'end' ? 1 : 0;
  if (parts.at(-1 - closing) === anyString) parts = parts.slice(0, -1 - closing);
  return { kind: 'sequence', of: parts };
}
