/** Rows of investigations, as both adapters store them, and their conversion to the model. */
import type {
  Investigation,
  InvestigationHead,
  InvestigationItem,
  ItemKind,
  SearchCount,
  SearchNode,
  SearchQuery,
  Sharing,
} from '../../model/investigation/investigation.ts';
import type { ChangedMember, ChangeKind, InvestigationChange } from './investigation-store.ts';

export interface HeadRow {
  readonly id: string;
  readonly account_id: string;
  readonly owner_id: string;
  readonly owner: string;
  readonly name: string;
  readonly note: string;
  readonly sharing: Sharing;
  readonly created_ms: number;
  readonly changed_by: string;
  readonly changed_ms: number;
  readonly version: number;
  readonly nodes: number;
  readonly items: number;
}

export interface NodeRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly query: string;
  readonly note: string;
  /** SQLite has no booleans. */
  readonly star: boolean | number;
  readonly by: string;
  readonly at_ms: number;
  readonly version: number;
  readonly then_domains: number | null;
  readonly then_risk: number | null;
  readonly then_ms: number | null;
  readonly now_domains: number | null;
  readonly now_risk: number | null;
  readonly now_ms: number | null;
}

export interface ItemRow {
  readonly id: string;
  readonly kind: ItemKind;
  readonly value: string;
  readonly note: string;
  readonly by: string;
  readonly at_ms: number;
  readonly version: number;
}

export interface ChangeRow {
  readonly id: number;
  readonly investigation_id: string;
  readonly version: number;
  readonly by: string;
  readonly at_ms: number;
  readonly what: ChangeKind;
  readonly ids: string;
  readonly members: string;
}

export function headOf(row: HeadRow): InvestigationHead {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    note: row.note,
    sharing: row.sharing,
    owner: { id: row.owner_id, name: row.owner },
    createdMs: row.created_ms,
    changed: { by: row.changed_by, atMs: row.changed_ms },
    version: row.version,
    nodeCount: row.nodes,
    itemCount: row.items,
  };
}

function nodeOf(row: NodeRow): SearchNode {
  return {
    id: row.id,
    parentId: row.parent_id ?? undefined,
    query: JSON.parse(row.query) as SearchQuery,
    note: row.note,
    star: Boolean(row.star),
    by: row.by,
    atMs: row.at_ms,
    countThen: countOf(row.then_domains, row.then_risk, row.then_ms),
    countNow: countOf(row.now_domains, row.now_risk, row.now_ms),
    version: row.version,
  };
}

function countOf(domains: number | null, risk: number | null, atMs: number | null): SearchCount | undefined {
  if (domains === null || atMs === null) return undefined;
  return { domains, averageRisk: risk ?? undefined, atMs };
}

function itemOf({ id, kind, value, note, by, at_ms: atMs, version }: ItemRow): InvestigationItem {
  return { id, kind, value, note, by, atMs, version };
}

export function changeOf(row: ChangeRow): InvestigationChange {
  return {
    id: row.id,
    investigationId: row.investigation_id,
    version: row.version,
    by: row.by,
    atMs: row.at_ms,
    what: row.what,
    ids: JSON.parse(row.ids) as string[],
    members: JSON.parse(row.members) as ChangedMember[],
  };
}

/** Rows that were read at one moment. */
export function investigationOf(
  head: InvestigationHead,
  nodes: readonly NodeRow[],
  items: readonly ItemRow[],
): Investigation {
  return { ...head, nodes: nodes.map(nodeOf), items: items.map(itemOf) };
}
