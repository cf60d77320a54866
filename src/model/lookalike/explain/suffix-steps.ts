/** Explains the suffix of a term that is a domain: kept, swapped, written without its dot, or dropped. */

import type { NameView } from '../align/name-view.ts';
import type { TermPosition } from '../align/term-position.ts';
import type { Step } from '../match.ts';

interface SuffixedMatch {
  readonly to: number;
  readonly steps: readonly Step[];
}

export function withSuffixStep(
  suffix: string,
  { name, registeredFrom, registeredTo }: NameView,
  { from, to, isWhole }: TermPosition,
  steps: readonly Step[],
): SuffixedMatch {
  if (suffix === '') return { to, steps };
  const at = to - from;
  if (isWhole && to === registeredTo && (from === registeredFrom || name.slice(from, to).includes('.'))) {
    const found = name.slice(registeredTo);
    if (found === suffix) return { to: name.length, steps };
    const swap = { class: swapClass(suffix, found), at, removed: suffix, inserted: found };
    return { to: name.length, steps: [...steps, swap] };
  }
  const plain = suffix.slice(1);
  for (const written of [suffix, `-${plain}`, plain, plain.replaceAll('.', '-'), plain.replaceAll('.', '')]) {
    const end = to + written.length;
    if (!name.startsWith(written, to) || !isEnd(name[end]) || end > registeredTo) continue;
    if (written === suffix) return { to: end, steps };
    return { to: end, steps: [...steps, { class: 'dot', at, removed: suffix, inserted: written }] };
  }
  return { to, steps: [...steps, { class: 'tld-swap', at, removed: suffix, inserted: '' }] };
}

function isEnd(character: string | undefined): boolean {
  return character === undefined || '.-'.includes(character);
}

function swapClass(suffix: string, found: string): 'tld-swap' | 'wrong-second-level' {
  const last = (text: string) => text.slice(text.lastIndexOf('.'));
  return last(suffix) === last(found) ? 'wrong-second-level' : 'tld-swap';
}
