/**
 * What the graph shows: domains and the values that they share. More than twelve that are connected alike are one node with their number, so
 * that a graph of two thousand is still read.
 */
import type { GraphValueKind } from '../../../../../src/http/web/investigation/investigation-wire.ts';
import type { CampaignLinkKind } from '../../../data/campaign/campaigns.ts';
import { type Foreign, plain } from '../../../data/foreign.ts';
import type { InvestigationGraph } from '../../../data/investigation/investigations.ts';

/** Of investigations and of campaigns. */
export type GraphKind = 'domain' | GraphValueKind | CampaignLinkKind;

/** Domains, the values that they share, and pairs of their indexes. */
export interface SharedValues {
  readonly domains: readonly Pick<InvestigationGraph['domains'][number], 'punycode' | 'risk_score'>[];
  readonly values: readonly {
    readonly kind: Exclude<GraphKind, 'domain'>;
    readonly value: Foreign;
    /** Whose value it is, where very many domains have it. */
    readonly service: string | null;
  }[];
  readonly edges: readonly (readonly number[])[];
}

export interface GraphNode {
  /** The same for the same thing, whatever else is shown. */
  readonly key: string;
  readonly kind: GraphKind;
  /** What it is called: one name, or the first of several. */
  readonly name: string;
  /** How many it stands for. */
  readonly count: number;
  /** The highest, of domains. */
  readonly risk: number | null;
  /** Punycode: itself, those of its group, or those that have the value. */
  readonly domains: readonly string[];
}

export interface GraphModel {
  readonly nodes: readonly GraphNode[];
  /** Indexes of nodes. */
  readonly edges: readonly (readonly [number, number])[];
}

export const alikeMax = 12;

interface Piece {
  readonly kind: GraphKind;
  readonly name: string;
  readonly risk: number | null;
  readonly neighbours: readonly number[];
}

/** `common`: with values of CDNs, parking services and such that very many share. */
export function graphModel(graph: SharedValues, common: boolean): GraphModel {
  const isShown = graph.values.map(({ service }) => common || service === null);
  const edges = graph.edges.flatMap(([domain, value]) =>
    domain !== undefined && value !== undefined && isShown[value] ? [[domain, value] as const] : [],
  );
  const valuesOf: number[][] = graph.domains.map(() => []);
  const domainsOf: number[][] = graph.values.map(() => []);
  for (const [domain, value] of edges) {
    valuesOf[domain]?.push(value);
    domainsOf[value]?.push(domain);
  }
  const domains = graph.domains.map(
    ({ punycode, risk_score }, index): Piece => ({
      kind: 'domain',
      name: plain(punycode),
      risk: risk_score,
      neighbours: valuesOf[index] ?? [],
    }),
  );
  const values = graph.values.flatMap(({ kind, value }, index): readonly (Piece & { index: number })[] =>
    isShown[index]
      ? [{ kind, name: plain(value), risk: null, neighbours: domainsOf[index] ?? [], index }]
      : [],
  );
  const nodes: GraphNode[] = [];
  const nodeOfDomain = new Map<number, number>();
  for (const members of alike(domains)) {
    const pieces = members.map((index) => domains[index] as Piece);
    for (const index of members) nodeOfDomain.set(index, nodes.length);
    nodes.push(
      nodeOf(
        pieces,
        pieces.map(({ name }) => name),
      ),
    );
  }
  const nodeOfValue = new Map<number, number>();
  for (const members of alike(values)) {
    const pieces = members.map((at) => values[at] as (typeof values)[number]);
    for (const { index } of pieces) nodeOfValue.set(index, nodes.length);
    const having = (pieces[0]?.neighbours ?? []).map((domain) => domains[domain]?.name ?? '');
    nodes.push(nodeOf(pieces, having));
  }
  const joined = new Set(
    edges.map(([domain, value]) => `${nodeOfDomain.get(domain)} ${nodeOfValue.get(value)}`),
  );
  return { nodes, edges: [...joined].map((pair) => pair.split(' ').map(Number) as [number, number]) };
}

function nodeOf(pieces: readonly Piece[], domains: readonly string[]): GraphNode {
  const [first] = pieces as [Piece];
  const risks = pieces.flatMap(({ risk }) => risk ?? []);
  return {
    key: `${first.kind} ${first.name}`,
    kind: first.kind,
    name: first.name,
    count: pieces.length,
    risk: risks.length === 0 ? null : Math.max(...risks),
    domains,
  };
}

/** Indexes in groups: of the same kind and with the same neighbours, where those are more than twelve; all others alone. */
function alike(pieces: readonly Piece[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const [index, { kind, neighbours }] of pieces.entries()) {
    const key = `${kind} ${neighbours.join()}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(index);
  }
  return [...groups.values()].flatMap((group) =>
    group.length > alikeMax ? [group] : group.map((index) => [index]),
  );
}
