/**
 * Investigations of the web UI. Every change names the version that it is based on, and is refused with what has changed since if that is no
 * longer the current one (optimistic concurrency). Every operation is scoped to one account; an id of another account is unknown. Who may see
 * or change what is for the caller to decide, at the version that the change names.
 */
import type {
  Investigation,
  InvestigationHead,
  ItemKind,
  SearchCount,
  SearchQuery,
  Sharing,
} from '../../model/investigation/investigation.ts';

/** Within an account. */
export interface InvestigationKey {
  readonly accountId: string;
  readonly id: string;
}

export interface NewNode {
  /** Chosen by the caller, so that an import can name parents. */
  readonly id: string;
  readonly parentId?: string | undefined;
  readonly query: SearchQuery;
  readonly note: string;
  readonly star: boolean;
  readonly countThen?: SearchCount | undefined;
}

export interface NewItem {
  readonly kind: ItemKind;
  readonly value: string;
  readonly note: string;
}

export interface NewInvestigation {
  readonly accountId: string;
  readonly owner: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly note: string;
  readonly sharing: Sharing;
  /** Parents before their children. */
  readonly nodes: readonly NewNode[];
  readonly items: readonly NewItem[];
}

/** Members left out stay as they are. */
export type Edit =
  | {
      readonly kind: 'change';
      readonly name?: string | undefined;
      readonly note?: string | undefined;
      readonly sharing?: Sharing | undefined;
    }
  | { readonly kind: 'remove' }
  | { readonly kind: 'add-node'; readonly node: NewNode }
  | {
      readonly kind: 'change-node';
      readonly id: string;
      readonly note?: string | undefined;
      readonly star?: boolean | undefined;
    }
  /** With everything below it. */
  | { readonly kind: 'remove-node'; readonly id: string }
  /** One that is there already, of the same kind and value, stays as it is. */
  | { readonly kind: 'add-items'; readonly items: readonly NewItem[] }
  | { readonly kind: 'change-item'; readonly id: string; readonly note: string }
  | { readonly kind: 'remove-item'; readonly id: string };

export type ChangeKind =
  | 'investigation-changed'
  | 'investigation-removed'
  | 'node-added'
  | 'node-changed'
  | 'node-removed'
  | 'items-added'
  | 'item-changed'
  | 'item-removed';

export type ChangedMember = 'name' | 'note' | 'sharing' | 'star';

export interface InvestigationChange {
  /** Rises with every change of any investigation. */
  readonly id: number;
  readonly investigationId: string;
  /** The version that it made. */
  readonly version: number;
  readonly by: string;
  readonly atMs: number;
  readonly what: ChangeKind;
  /** Of the nodes or items concerned; empty for the investigation itself. */
  readonly ids: readonly string[];
  readonly members: readonly ChangedMember[];
}

export type EditOutcome =
  | {
      readonly kind: 'applied';
      readonly version: number;
      /** Of the nodes or items concerned. */
      readonly ids: readonly string[];
    }
  | {
      readonly kind: 'conflict';
      readonly version: number;
      /** Since the version that the edit was based on, oldest first. */
      readonly changes: readonly InvestigationChange[];
      /** False: some are no longer kept. */
      readonly complete: boolean;
    }
  /** There is no such investigation, or it has no such node or item. */
  | { readonly kind: 'missing'; readonly what: 'investigation' | 'node' | 'item' };

export interface Editor {
  readonly name: string;
  readonly atMs: number;
}

export interface InvestigationStore {
  /** Those of the account that are shared or belong to the person, latest change first. */
  listInvestigations(range: {
    readonly accountId: string;
    readonly personId: string;
    readonly limit: number;
  }): Promise<readonly InvestigationHead[]>;

  findHead(key: InvestigationKey): Promise<InvestigationHead | undefined>;

  findInvestigation(key: InvestigationKey): Promise<Investigation | undefined>;

  /** All of it or nothing. Throws `conflict` beyond the bounds of an account or of an investigation. */
  createInvestigation(given: NewInvestigation, by: Editor): Promise<InvestigationHead>;

  /** All of it or nothing. An edit that changes nothing makes no version. Throws `conflict` beyond the bounds. */
  editInvestigation(key: InvestigationKey, version: number, edit: Edit, by: Editor): Promise<EditOutcome>;

  /** Stores what searches match now. That is no change: it makes no version. Unknown nodes are ignored. */
  recordCounts(
    key: InvestigationKey,
    counts: readonly { readonly nodeId: string; readonly count: SearchCount }[],
  ): Promise<void>;

  /** The id of the account's latest change; 0 if there is none. */
  lastChangeId(accountId: string): Promise<number>;

  /** Changes of investigations that the person may see, in order, after the given id. */
  listChanges(range: {
    readonly accountId: string;
    readonly personId: string;
    readonly afterId: number;
    readonly limit: number;
  }): Promise<readonly InvestigationChange[]>;

  close(): Promise<void>;
}
