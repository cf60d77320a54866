/** What became of the suffix of a term that is a domain: the same, another, written without its dot, or gone. */
import type { Step } from './match.ts';
import type { NameView } from './name-view.ts';
import type { Place } from './place.ts';

interface Stretch {
  readonly to: number;
  readonly steps: readonly Step[];
}

export function withSuffix(
  suffix: string,
  { name, ownFrom, ownTo }: NameView,
  { from, to, isWhole }: Place,
  steps: readonly Step[],
): Stretch {
  if (suffix === '') return { to, steps };
  const at = to - from;
  if (isWhole && to === ownTo && (from === ownFrom || name.slice(from, to).includes('.'))) {
    const there = name.slice(ownTo);
    if (there === suffix) return { to: name.length, steps };
    const swap = { class: swapClass(suffix, there), at, removed: suffix, inserted: there };
    return { to: name.length, steps: [...steps, swap] };
  }
  const plain = suffix.slice(1);
  for (const written of [suffix, `-${plain}`, plain, plain.replaceAll('.', '-'), plain.replaceAll('.', '')]) {
    const end = to + written.length;
    if (!name.startsWith(written, to) || !isEnd(name[end]) || end > ownTo) continue;
    if (written === suffix) return { to: end, steps };
    return { to: end, steps: [...steps, { class: 'dot', at, removed: suffix, inserted: written }] };
  }
  return { to, steps: [...steps, { class: 'tld-swap', at, removed: suffix, inserted: '' }] };
}

function isEnd(character: string | undefined): boolean {
  return character === undefined || '.-'.includes(character);
}

function swapClass(suffix: string, there: string): 'tld-swap' | 'wrong-second-level' {
  const last = (text: string) => text.slice(text.lastIndexOf('.'));
  return last(suffix) === last(there) ? 'wrong-second-level' : 'tld-swap';
}
