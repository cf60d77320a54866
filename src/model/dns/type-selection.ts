/** Which record types are wanted, as data: a store may be a process or a network away. */
import { dnssecTypes } from './rr-type.ts';

export type TypeSelection =
  | 'any'
  | { readonly only: ReadonlySet<number> }
  | { readonly except: ReadonlySet<number> };

/** All types but those of DNSSEC. */
export const plainTypes: TypeSelection = { except: dnssecTypes };

export function typeMatcher(types: TypeSelection): (type: number) => boolean {
  if (types === 'any') return () => true;
  if ('except' in types) return (type) => !types.except.has(type);
  const [first] = types.only;
  return types.only.size === 1 ? (type) => type === first : (type) => types.only.has(type);
}

/** The types that both select. */
export function bothSelect(one: TypeSelection, other: TypeSelection): TypeSelection {
  if (one === 'any') return other;
  if (other === 'any') return one;
  if ('only' in one) return { only: new Set([...one.only].filter(typeMatcher(other))) };
  if ('only' in other) return bothSelect(other, one);
  return { except: new Set([...one.except, ...other.except]) };
}
