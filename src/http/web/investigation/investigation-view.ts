import type {
  Investigation,
  InvestigationHead,
  InvestigationItem,
  SearchCount,
  SearchNode,
} from '../../../model/investigation/investigation.ts';
import { rightsOf } from '../../../product/investigations/rights.ts';
import type { InvestigationChange } from '../../../store/desk/investigation-store.ts';
import type { WebCaller } from '../web-operation.ts';
import type {
  ChangeView,
  InvestigationHeadView,
  InvestigationView,
  ItemView,
  NodeView,
  SearchCountView,
} from './investigation-wire.ts';

const isoTime = (ms: number): string => new Date(ms).toISOString();

export function headOnWire(head: InvestigationHead, caller: WebCaller): InvestigationHeadView {
  const { id, name, note, sharing, owner, createdMs, changed, version, nodeCount, itemCount } = head;
  return {
    id,
    name,
    note,
    sharing,
    by: owner.name,
    at: isoTime(createdMs),
    changed_by: changed.by,
    changed_at: isoTime(changed.atMs),
    version,
    searches: nodeCount,
    findings: itemCount,
    own: owner.id === caller.user.id,
    may: rightsOf(head, caller),
  };
}

export function investigationOnWire(investigation: Investigation, caller: WebCaller): InvestigationView {
  return {
    ...headOnWire(investigation, caller),
    nodes: investigation.nodes.map((node) => nodeOnWire(node, caller)),
    items: investigation.items.map((item) => itemOnWire(item, caller)),
  };
}

function nodeOnWire(node: SearchNode, { user }: WebCaller): NodeView {
  const { id, parentId, query, note, star, by, atMs, countThen, countNow } = node;
  return {
    id,
    parent_id: parentId ?? null,
    query: query as NodeView['query'],
    note,
    star,
    by,
    at: isoTime(atMs),
    count_then: countOnWire(countThen),
    count_now: countOnWire(countNow),
    own: by === user.username,
  };
}

export function countOnWire(count: SearchCount | undefined): SearchCountView | null {
  if (!count) return null;
  const { domains, averageRisk, atMs } = count;
  const average = averageRisk === undefined ? null : Math.round(averageRisk * 10) / 10;
  return { domains, average_risk: average, at: isoTime(atMs) };
}

function itemOnWire(item: InvestigationItem, { user }: WebCaller): ItemView {
  const { id, kind, value, note, by, atMs } = item;
  return { id, kind, value, note, by, at: isoTime(atMs), own: by === user.username };
}

export function changeOnWire({ version, by, atMs, what, ids, members }: InvestigationChange): ChangeView {
  return { version, by, at: isoTime(atMs), what, ids: [...ids], members: [...members] };
}
