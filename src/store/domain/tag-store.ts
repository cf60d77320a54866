/**
 * Tags that an account gives to domains. A tag has an id, by which domains have it, so that another label, another colour or a merge is one
 * small change however many domains there are. Labels that differ in letter case alone are the same. An `own` tag exists for its user alone: nothing
 * that another user reads, counts or searches depends on it. An expired tag is absent from every read from its time on.
 */

export const tagColours = ['grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet'] as const;
export type TagColour = (typeof tagColours)[number];
export type TagScope = 'own' | 'team';

/** A tag of a domain. */
export interface Tag {
  readonly label: string;
  readonly scope: TagScope;
  readonly taggedMs: number;
  readonly colour: TagColour;
  readonly expiresMs?: number;
}

export interface TagDefinition {
  readonly id: string;
  readonly label: string;
  readonly scope: TagScope;
  readonly colour: TagColour;
  readonly expiresMs?: number;
  readonly domains: number;
  /** The name of who made it; unknown for tags of versions that did not record it. */
  readonly by?: string;
  readonly createdMs: number;
  /** When a domain last received it. */
  readonly usedMs: number;
}

/** Who reads, and when. */
export interface TagReader {
  readonly accountId: string;
  readonly userId: string;
  readonly nowMs: number;
}

export interface TagAuthor {
  readonly accountId: string;
  readonly userId: string;
  readonly username: string;
  readonly scope: TagScope;
  readonly atMs: number;
}

export interface TagChange {
  readonly label?: string;
  readonly scope?: TagScope;
  readonly colour?: TagColour;
  readonly expiresMs?: number | 'never';
  /** Whether it may become part of a tag that has its label and scope already. */
  readonly merge?: boolean;
}

export type ChangedTag =
  | {
      readonly outcome: 'changed';
      readonly tag: TagDefinition;
      /** How many domains came to the tag that was there. */
      readonly moved?: number;
    }
  /** Nothing changed, since the change did not allow a merge. */
  | { readonly outcome: 'exists'; readonly tag: TagDefinition }
  | { readonly outcome: 'missing' };

export interface TagOverlap {
  readonly domains: number;
  /** Whether all of the domains were compared. */
  readonly complete: boolean;
  /** The most frequent first. */
  readonly others: readonly (Pick<TagDefinition, 'label' | 'scope' | 'colour'> & {
    readonly domains: number;
  })[];
}

/** More are refused, so that a list of all tags is one answer. */
export const tagsPerAccountMax = 2000;

export interface TagStore {
  /**
   * Adds and removes tags of domains, and returns how many of the domains have a record; the others are left out. A tag that is removed from its last domain
   * is deleted unless it has a colour or an expiry. Throws `invalid-parameters` beyond `tagsPerAccountMax`.
   */
  changeTags(
    domains: readonly string[],
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    by: TagAuthor,
  ): Promise<number>;

  tagsOf(domains: readonly string[], reader: TagReader): Promise<readonly (readonly Tag[])[]>;

  /** By label; at most `limit`, those used last. */
  listTags(reader: TagReader, limit: number): Promise<readonly TagDefinition[]>;

  /** Average risk of the domains of each of these tags; undefined if none has a score. It reads all of the domains. */
  averageRisksOfTags(ids: readonly string[]): Promise<readonly (number | undefined)[]>;

  /** Of a tag that the reader can see. It is one transaction, whatever number of domains have the tag. */
  changeTag(id: string, change: TagChange, reader: TagReader): Promise<ChangedTag>;

  /** Returns how many domains had it; undefined if the reader sees no such tag. One transaction, as above. */
  deleteTag(id: string, reader: TagReader): Promise<number | undefined>;

  /** Domains with this label, in no particular order; `next` of one page is `after` of the next one, and the first has ''. */
  listTaggedDomains(
    label: string,
    reader: TagReader,
    page: { readonly after: string; readonly limit: number },
  ): Promise<{ readonly domains: readonly string[]; readonly next: string | undefined }>;

  /** Which other tags the domains with this label have. */
  listTagOverlap(
    label: string,
    reader: TagReader,
    limits: { readonly domainsMax: number; readonly tagsMax: number },
  ): Promise<TagOverlap>;

  /**
   * Removes what merged, deleted and expired tags left behind, up to 50,000 rows; the next call goes on. It works in short transactions, so the
   * store may be used meanwhile, and completes what was interrupted. Reads do not change.
   */
  sweepTags(nowMs: number): Promise<void>;
}
