/** An investigation: a tree of searches with notes, and single findings beside it, kept by one person or shared with the account. */

/** A search as it was written: parameters of Investigate, each with its values, or the query language. */
export type SearchQuery =
  | { readonly parameters: Readonly<Record<string, readonly string[]>> }
  | { readonly ql: string };

/** What the rest of the account may do: nothing; view it; also add to it and annotate it; also remove searches and findings. */
export const sharings = ['private', 'view', 'add', 'delete'] as const;
export type Sharing = (typeof sharings)[number];

export const itemKinds = ['domain', 'ip', 'name_server', 'email', 'certificate', 'text'] as const;
export type ItemKind = (typeof itemKinds)[number];

/** How many domains a search matched, and their average risk; undefined if none has a score. */
export interface SearchCount {
  readonly domains: number;
  readonly averageRisk: number | undefined;
  readonly atMs: number;
}

export interface SearchNode {
  readonly id: string;
  /** Undefined at the root of a tree. */
  readonly parentId: string | undefined;
  readonly query: SearchQuery;
  readonly note: string;
  readonly star: boolean;
  readonly by: string;
  readonly atMs: number;
  /** When it was saved; undefined if it could not be counted then. */
  readonly countThen: SearchCount | undefined;
  /** The latest count. */
  readonly countNow: SearchCount | undefined;
  /** That of the investigation when it was last changed. */
  readonly version: number;
}

export interface InvestigationItem {
  readonly id: string;
  readonly kind: ItemKind;
  readonly value: string;
  readonly note: string;
  readonly by: string;
  readonly atMs: number;
  readonly version: number;
}

export interface InvestigationHead {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly note: string;
  readonly sharing: Sharing;
  readonly owner: { readonly id: string; readonly name: string };
  readonly createdMs: number;
  readonly changed: { readonly by: string; readonly atMs: number };
  /** Rises by one with every change. */
  readonly version: number;
  readonly nodeCount: number;
  readonly itemCount: number;
}

export interface Investigation extends InvestigationHead {
  /** In order of creation: parents before their children. */
  readonly nodes: readonly SearchNode[];
  readonly items: readonly InvestigationItem[];
}

export const investigationLimits = {
  perAccount: 1000,
  nodes: 500,
  items: 2000,
  /** At once. */
  addedItems: 500,
  nameCharacters: 100,
  noteCharacters: 4000,
  valueCharacters: 1000,
  queryBytes: 65_536,
  /** Of all searches, values and notes: an exported investigation must fit into one request. */
  contentBytes: 600_000,
} as const;
