/** Where the items of a page are, and how the next page is requested: each family of operations has its own way. */
import { NameglassError } from './nameglass-error.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Page {
  readonly items: readonly unknown[];
  /** Parameters of the next page; undefined after the last one. */
  readonly next: Readonly<Record<string, string | number>> | undefined;
}

/** Members that hold the items, by name: some responses have other lists besides. */
const itemMembers = [
  'results',
  'watchlist_domains',
  'monitors',
  'escalations',
  'changes',
  'decisions',
  'files',
  'values',
  'tags',
  'users',
  'products',
  'own_domains',
  'blocklists',
  'campaigns',
  'members',
] as const;

export function readPage(body: unknown, query: Members): Page {
  const { response } = body as { readonly response?: Members };
  const members = response ?? (body as Members);
  const error = members['error'] as { readonly code: number; readonly message: string } | undefined;
  if (error) throw new NameglassError(error.message, { status: error.code, code: 'too-many-results' });
  const name = itemMembers.find((each) => Array.isArray(members[each]));
  if (name === undefined)
    throw new NameglassError('This operation does not return a list.', { code: 'unexpected' });
  const items = members[name] as readonly unknown[];
  return { items, next: nextOf(members, items.length, query) };
}

function nextOf(members: Members, count: number, query: Members): Page['next'] {
  const { position, next_before: before, total_count: total, offset, download_name: archive } = members;
  if (typeof position === 'string') return { position };
  if (typeof before === 'string') return { before };
  if (count === 0) return undefined;
  if (typeof archive === 'string') return { page: Number(query['page'] ?? 0) + 1 };
  if (typeof total !== 'number' || typeof offset !== 'number' || offset + count >= total) return undefined;
  return { offset: offset + count };
}

/** The query of `Link: <…>; rel="next"`, which a feed sends with the status 206. */
export function linkedQuery(link: string | null): URLSearchParams | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  return target === undefined ? undefined : new URLSearchParams(target.slice(target.indexOf('?')));
}
