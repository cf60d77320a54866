/** Parses a name with an optional wildcard at one end. */
import { parseName, rootName } from '../../model/dns/name.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import type { NameSpan } from '../../store/rrset-store.ts';

interface SpannedName {
  readonly name: WireName;
  readonly span: NameSpan;
}

/**
 * `*.x` is x and all names below it, `+.x` the names one label below it, `x.*` all names that begin with x. A `*` that is a label
 * anywhere else is invalid; a literal one is written `\*`. Undefined for anything invalid.
 */
export function readNameSpan(text: string): SpannedName | undefined {
  const child = text === '+' || text.startsWith('+.');
  if (!child && !text.includes('*')) return spanned(parseName(text), 'none');

  const labels = labelsOf(text);
  const stars = labels.filter((label) => label === '*').length;
  if (child) return stars === 0 ? spanned(parentOf(labels), 'child') : undefined;
  if (stars === 0) return spanned(parseName(text), 'none');
  if (stars > 1) return undefined;
  if (labels[0] === '*') return spanned(parentOf(labels), 'below');
  if (labels.at(-1) !== '*') return undefined;
  return spanned(parseName(labels.slice(0, -1).join('.')), 'right');
}

function spanned(name: WireName | undefined, span: NameSpan): SpannedName | undefined {
  return name && { name, span };
}

/** The name after the first label; the root where there is none. */
function parentOf(labels: readonly string[]): WireName | undefined {
  return labels.length === 1 ? rootName : parseName(labels.slice(1).join('.'));
}

/** Labels as written, with their escapes; a final dot ends the last one. */
function labelsOf(text: string): string[] {
  const labels: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '.') {
      labels.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (start < text.length) labels.push(text.slice(start));
  return labels;
}
