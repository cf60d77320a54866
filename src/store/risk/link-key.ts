/** A link as one string. Kinds and attributes never contain a space; the value is arbitrary text. */
import type { Link, LinkKind } from '../../model/risk/proximity/link.ts';

export function linkKey({ kind, attribute = '', value }: Link): string {
  return `${kind} ${attribute} ${value.toWellFormed()}`;
}

export function linkOf(key: string): Link {
  const first = key.indexOf(' ');
  const second = key.indexOf(' ', first + 1);
  const attribute = key.slice(first + 1, second);
  return {
    kind: key.slice(0, first) as LinkKind,
    ...(attribute === '' ? {} : { attribute }),
    value: key.slice(second + 1),
  };
}
