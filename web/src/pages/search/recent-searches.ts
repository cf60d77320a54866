/** The searches that this person has made in this browser, newest first. */
import { useMemo } from 'react';
import { plain } from '../../data/foreign.ts';
import { useMe } from '../../data/me.ts';
import { createStore, useStore } from '../../data/store.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import { stateOf } from './search-address.ts';

const keptMax = 12;
/** Longer ones are lists that were pasted. */
const lengthMax = 4000;

/** Raised with every change, since the browser's storage notifies other tabs alone. */
const version = createStore(0);

function read(key: string): readonly SearchQuery[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return (Array.isArray(kept) ? kept : []).flatMap((one: unknown) => {
      const raw = (one ?? {}) as Readonly<Record<string, unknown>>;
      // Anything may be there: it is read like an address.
      const { query } = stateOf(
        typeof raw['ql'] === 'string' ? { ql: raw['ql'] } : Object(raw['parameters']),
      );
      return query ? [query] : [];
    });
  } catch {
    return [];
  }
}

function write(key: string, queries: readonly SearchQuery[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(queries));
  } catch {
    // A browser that keeps nothing has no recent searches.
  }
  version.set((before) => before + 1);
}

export function useRecentSearches() {
  const me = useMe().data;
  const key = me ? `searches ${plain(me.account.name)} ${plain(me.person.name)}` : 'searches';
  const changes = useStore(version);
  const recent = useMemo(() => (changes >= 0 ? read(key) : []), [key, changes]);
  const remember = (query: SearchQuery) => {
    const text = JSON.stringify(query);
    if (text.length > lengthMax) return;
    const others = read(key).filter((one) => JSON.stringify(one) !== text);
    write(key, [query, ...others].slice(0, keptMax));
  };
  return { recent, remember, forget: () => write(key, []) };
}
