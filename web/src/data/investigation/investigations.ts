/** Investigations: their lists, and every change of one, based on the version that is on the screen. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ChangeAnswer,
  ChangeView,
  CountsAnswer,
  GraphView,
  InvestigationBody,
  InvestigationChange,
  InvestigationHeadView,
  InvestigationList,
  InvestigationView,
  ItemView,
  NewItem,
  NodeChange,
  NodeView,
  Precondition,
  SharingView,
} from '../../../../src/http/web/investigation/investigation-wire.ts';
import type { SearchQuery } from '../../../../src/http/web/search/search-wire.ts';
import { type Foreign, foreign, type Received } from '../foreign.ts';
import { type Method, request, ServerError } from '../request.ts';
import { investigationsKey } from './investigations-key.ts';
import { conflictsWith, type MyChange } from './merge-change.ts';

export type InvestigationHead = Received<InvestigationHeadView>;
export type Investigation = Received<InvestigationView>;
export type SearchNode = Received<NodeView>;
export type InvestigationItem = Received<ItemView>;
export type InvestigationGraph = Received<GraphView>;
export type Sharing = SharingView;
export type { InvestigationBody, NewItem, SearchQuery };

/** Searches are sent as they came. */
export const queryOfNode = ({ query }: Pick<SearchNode, 'query'>): SearchQuery =>
  query as unknown as SearchQuery;

export const investigationKey = (id: string) => [...investigationsKey, id] as const;
export const investigationPath = (id: string, part = '') =>
  `/investigations/${encodeURIComponent(id)}${part}`;

export function useInvestigations() {
  return useQuery({
    queryKey: investigationsKey,
    queryFn: ({ signal }) => request<InvestigationList>('GET', '/investigations', { signal }),
  });
}

export function useInvestigation(id: string | undefined) {
  return useQuery({
    enabled: id !== undefined,
    queryKey: investigationKey(id ?? ''),
    queryFn: ({ signal }) => request<InvestigationView>('GET', investigationPath(id ?? ''), { signal }),
  });
}

/** What can be added from any page. */
export type Addition = { readonly query: SearchQuery } | { readonly item: Omit<NewItem, 'note'> };

export interface AdditionTarget {
  /** Undefined: a new one, of this name. */
  readonly id: string | undefined;
  readonly name: string;
  readonly parentId: string | undefined;
  readonly note: string;
}

export function useAddToInvestigation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ add, target }: { add: Addition; target: AdditionTarget }) => sendAddition(add, target),
    onSettled: () => client.invalidateQueries({ queryKey: investigationsKey }),
  });
}

/** Where it is now. */
async function sendAddition(
  add: Addition,
  { id, name, parentId, note }: AdditionTarget,
): Promise<{ investigationId: string; nodeId: string | undefined }> {
  if (id === undefined) {
    const first = 'query' in add ? { node: { query: add.query, note } } : { item: { ...add.item, note } };
    const body: InvestigationBody = { name, ...first };
    const made = await request<InvestigationView>('POST', '/investigations', { body });
    return { investigationId: made.id, nodeId: made.nodes[0]?.id };
  }
  const isSearch = 'query' in add;
  const parent = parentId === undefined ? {} : { parent_id: parentId };
  const body = isSearch ? { query: add.query, note, ...parent } : { items: [{ ...add.item, note }] };
  const { ids } = await request<ChangeAnswer>('POST', investigationPath(id, isSearch ? '/nodes' : '/items'), {
    body,
  });
  return { investigationId: id, nodeId: ids[0] };
}

/** Somebody has changed the same thing: the person decides. */
export class ChangeConflict extends Error {
  override readonly name = 'ChangeConflict';
  /** The latest of them. */
  readonly by: Foreign;
  readonly version: number;

  constructor({ version, changes }: Received<Precondition>) {
    super('conflict');
    this.version = version;
    this.by = changes.at(-1)?.by ?? foreign('?');
  }
}

export interface ChangeRequest {
  readonly method: Method;
  /** Below the investigation. */
  readonly part: string;
  readonly body?: object;
  /** What is on the screen. */
  readonly version: number;
  readonly mine: MyChange;
}

const triesMax = 5;

/** Made at a later version too, where nobody has touched the same thing. */
async function sendChange(id: string, { method, part, body, version, mine }: ChangeRequest): Promise<void> {
  let ifMatch = version;
  for (let tries = 1; ; tries += 1) {
    try {
      await request<ChangeAnswer>(method, investigationPath(id, part), {
        ifMatch,
        ...(body ? { body } : {}),
      });
      return;
    } catch (error) {
      const failed = preconditionIn(error);
      if (!failed) throw error;
      const changes = failed.changes as unknown as readonly ChangeView[];
      if (tries >= triesMax || !failed.complete || changes.some((theirs) => conflictsWith(mine, theirs)))
        throw new ChangeConflict(failed);
      ifMatch = failed.version;
    }
  }
}

function preconditionIn(error: unknown): Received<Precondition> | undefined {
  if (!(error instanceof ServerError) || error.status !== 412) return undefined;
  return (error.body as { readonly error: Received<Precondition> }).error;
}

export function useInvestigationChange(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ChangeRequest) => sendChange(id, change),
    onSettled: (_answer, _error, { method, part }) =>
      // Of a deleted one only the list is left.
      client.invalidateQueries({ queryKey: investigationsKey, exact: method === 'DELETE' && part === '' }),
  });
}

export const changeNode = (version: number, id: string, body: NodeChange): ChangeRequest => ({
  method: 'PATCH',
  part: `/nodes/${id}`,
  body,
  version,
  mine: { kind: 'change-node', id, members: membersOf(body) },
});

export const changeWhole = (version: number, body: InvestigationChange): ChangeRequest => ({
  method: 'PATCH',
  part: '',
  body,
  version,
  mine: { kind: 'change', members: membersOf(body) },
});

export const removeNode = (version: number, id: string): ChangeRequest => ({
  method: 'DELETE',
  part: `/nodes/${id}`,
  version,
  mine: { kind: 'remove-node', id },
});

export const changeItem = (version: number, id: string, note: string): ChangeRequest => ({
  method: 'PATCH',
  part: `/items/${id}`,
  body: { note },
  version,
  mine: { kind: 'change-item', id },
});

export const removeItem = (version: number, id: string): ChangeRequest => ({
  method: 'DELETE',
  part: `/items/${id}`,
  version,
  mine: { kind: 'remove-item', id },
});

export const removeWhole = (version: number): ChangeRequest => ({
  method: 'DELETE',
  part: '',
  version,
  mine: { kind: 'remove' },
});

type Member = ChangeView['members'][number];
const membersOf = (body: object): readonly Member[] => Object.keys(body) as Member[];

/** What the searches match now; counted at most once a minute. */
export function useCountAgain(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      request<CountsAnswer>('POST', investigationPath(id, '/counts'), { body: { ids } }),
    onSettled: () => client.invalidateQueries({ queryKey: investigationKey(id) }),
  });
}

const graphMs = 60_000;

export function useInvestigationGraph(id: string, ids: readonly string[]) {
  return useQuery({
    queryKey: ['investigation-graph', id, ids],
    queryFn: ({ signal }) =>
      request<GraphView>('POST', investigationPath(id, '/graph'), { signal, body: { ids } }),
    enabled: ids.length > 0,
    staleTime: graphMs,
  });
}

export function useCreateInvestigation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InvestigationBody) => request<InvestigationView>('POST', '/investigations', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: investigationsKey }),
  });
}

/** `file`: what was exported. */
export function useImportInvestigation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: object) =>
      request<InvestigationView>('POST', '/investigations/import', { body: file }),
    onSettled: () => client.invalidateQueries({ queryKey: investigationsKey }),
  });
}
