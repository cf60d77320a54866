/** The graph of the chosen searches, always with the table of its domains beside it: both share one selection. */
import '../../../styles/graph.css';
import { useNavigate } from '@tanstack/react-router';
import { Lock, LockOpen } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { GraphValueKind } from '../../../../../src/http/web/investigation/investigation-wire.ts';
import { saveAs } from '../../../data/download.ts';
import { foreign, plain } from '../../../data/foreign.ts';
import {
  type InvestigationGraph,
  useInvestigationGraph,
} from '../../../data/investigation/investigations.ts';
import { DataGrid, type GridColumn } from '../../../parts/data-grid.tsx';
import { Name } from '../../../parts/name.tsx';
import { Empty, Failure, Skeletons } from '../../../parts/region.tsx';
import { Risk } from '../../../parts/risk.tsx';
import { Text } from '../../../parts/text.tsx';
import { graphWords as words } from '../../../words/investigations.ts';
import { number } from '../../../words/language.ts';
import type { InvestigationSearch } from '../investigation-search.ts';
import { gexfOf } from './gexf.ts';
import type { GraphHandle } from './graph-canvas.tsx';
import { GraphFigure, ZoomButtons } from './graph-figure.tsx';
import { graphModel } from './graph-model.ts';
import { hasWebGl } from './web-gl.ts';

/** As the server has them. */
const graphValueKinds: readonly GraphValueKind[] = [
  'ip',
  'name_server',
  'registrar',
  'email',
  'certificate',
  'analytics',
];

interface GraphTabProps {
  readonly id: string;
  readonly ids: readonly string[];
  readonly search: InvestigationSearch;
  readonly go: (search: InvestigationSearch) => void;
  readonly selected: ReadonlySet<string>;
  readonly select: (domains: ReadonlySet<string>) => void;
}

export function GraphTab(props: GraphTabProps) {
  const graph = useInvestigationGraph(props.id, props.ids);
  if (graph.isPending) return <Skeletons count={8} label={words.loading} />;
  if (graph.isError)
    return <Failure error={graph.error} what={words.thing} retry={() => void graph.refetch()} />;
  if (graph.data.domains.length === 0)
    return (
      <Empty title={words.nothing}>
        <Partial graph={graph.data} />
      </Empty>
    );
  return <GraphDesk {...props} graph={graph.data} />;
}

type Row = InvestigationGraph['domains'][number] & { readonly shared: number };

function GraphDesk({
  id,
  search,
  go,
  selected,
  select,
  graph,
}: GraphTabProps & { graph: InvestigationGraph }) {
  const [canDraw] = useState(hasWebGl);
  const [current, setCurrent] = useState<string>();
  const canvas = useRef<GraphHandle>(null);
  const model = useMemo(() => graphModel(graph, search.common ?? false), [graph, search.common]);
  const { common: _common, ...withoutCommon } = search;
  const { lock: _lock, ...withoutLock } = search;
  const savePng = async () => {
    const png = await canvas.current?.png();
    if (png) saveAs(`graph-${id}.png`, png);
  };
  const saveGexf = () => {
    const positions = canvas.current?.positions() ?? new Map();
    const text = gexfOf(model, positions, new Date().toISOString());
    saveAs(`graph-${id}.gexf`, new Blob([text], { type: 'application/xml' }));
  };
  const shownValues = model.nodes.filter(({ kind }) => kind !== 'domain').length;
  return (
    <div className="graph-desk">
      <div className="graph-tools">
        <span>{words.of(graph.domains.length, shownValues)}</span>
        <label>
          <input
            type="checkbox"
            checked={search.common ?? false}
            onChange={(event) => go(event.target.checked ? { ...search, common: true } : withoutCommon)}
          />
          {words.common}
        </label>
        {canDraw && (
          <button
            type="button"
            aria-pressed={search.lock ?? false}
            onClick={() => go(search.lock ? withoutLock : { ...search, lock: true })}
          >
            {search.lock ? <Lock size={15} aria-hidden /> : <LockOpen size={15} aria-hidden />} {words.lock}
          </button>
        )}
        <span className="grow" />
        {canDraw && (
          <>
            <ZoomButtons canvas={canvas} />
            <button type="button" onClick={() => void savePng()}>
              {words.png}
            </button>
          </>
        )}
        <button type="button" onClick={saveGexf}>
          {words.gexf}
        </button>
      </div>
      <Partial graph={graph} />
      <div className={canDraw ? 'graph-and-table' : 'graph-and-table no-graph'}>
        <GraphFigure
          canDraw={canDraw}
          kinds={graphValueKinds}
          model={model}
          selected={selected}
          select={select}
          current={current}
          isLocked={search.lock ?? false}
          handle={canvas}
        />
        <GraphTable graph={graph} selected={selected} select={select} onMove={setCurrent} />
      </div>
    </div>
  );
}

/** What the graph does not have. */
function Partial({ graph }: { graph: InvestigationGraph }) {
  const { domains_left_out: domains, values_left_out: values, too_many: tooMany } = graph;
  const parts = [
    ...(domains > 0 ? [words.leftOut(domains)] : []),
    ...(values > 0 ? [words.valuesLeftOut(values)] : []),
    ...(tooMany.length > 0 ? [words.tooMany(tooMany.length)] : []),
  ];
  return parts.length > 0 && <p className="banner">{parts.join('; ')}</p>;
}

interface GraphTableProps {
  readonly graph: InvestigationGraph;
  readonly selected: ReadonlySet<string>;
  readonly select: (domains: ReadonlySet<string>) => void;
  readonly onMove: (domain: string) => void;
}

const keyOf = ({ punycode }: Row): string => plain(punycode);

function GraphTable({ graph, selected, select, onMove }: GraphTableProps) {
  const navigate = useNavigate();
  const rows = useMemo(() => {
    const shared = new Uint32Array(graph.domains.length);
    for (const [domain] of graph.edges) if (domain !== undefined) shared[domain] = (shared[domain] ?? 0) + 1;
    return graph.domains.map((domain, index): Row => ({ ...domain, shared: shared[index] ?? 0 }));
  }, [graph]);
  const columns = useMemo(
    (): readonly GridColumn<Row>[] => [
      {
        id: 'domain',
        name: words.columns.domain,
        width: 230,
        cell: ({ domain }) => <Name host={domain} />,
      },
      {
        id: 'risk',
        name: words.columns.risk,
        width: 90,
        cell: ({ risk_score }) => <Risk score={risk_score} status={null} />,
      },
      {
        id: 'shared',
        name: words.columns.shared,
        width: 110,
        isNumber: true,
        cell: ({ shared }) => number(shared),
      },
      {
        id: 'registrar',
        name: words.columns.registrar,
        width: 180,
        cell: ({ registrar }) => <Text of={registrar ?? foreign('–')} />,
      },
    ],
    [],
  );
  return (
    <DataGrid
      label={words.table}
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      selected={selected}
      onSelect={select}
      onMove={(row) => onMove(keyOf(row))}
      onOpen={(row) => void navigate({ to: '/domain/$name', params: { name: keyOf(row) } })}
    />
  );
}
