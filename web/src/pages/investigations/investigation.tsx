/** One investigation: the tree of its searches, and what the current one finds as a table or a graph, with one selection for both. */
import '../../styles/investigations.css';
import '../../styles/search.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { branchPoint } from '../../data/investigation/branch-point.ts';
import {
  type Investigation,
  queryOfNode,
  useInvestigation,
} from '../../data/investigation/investigations.ts';
import { ServerError } from '../../data/request.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { treeWords, pageWords as words } from '../../words/investigations.ts';
import { SelectionBar } from '../search/selection-bar.tsx';
import { type DeskDialog, DeskDialogs } from './desk-dialogs.tsx';
import { Findings } from './findings.tsx';
import { InvestigationHead } from './investigation-head.tsx';
import {
  type InvestigationSearch,
  type InvestigationTab,
  investigationTabs,
  sortIn,
  withSort,
} from './investigation-search.ts';
import { NodePanel, useStar } from './node-panel.tsx';
import { NodeTable } from './node-table.tsx';
import { SearchTree, type SearchTreeHandle } from './search-tree.tsx';
import { useDeskKeys } from './use-desk-keys.ts';
import { useHindrances } from './use-hindrances.ts';

const GraphTab = lazy(async () => ({ default: (await import('./graph/graph-tab.tsx')).GraphTab }));

export function InvestigationPage() {
  const { id } = useParams({ from: '/app/investigations/$id' });
  const found = useInvestigation(id);
  useTitle(found.data ? spelledOut(found.data.name) : words.thing);
  if (found.isPending) return <Skeletons count={8} label={words.loading} />;
  if (found.error instanceof ServerError && found.error.status === 404)
    return (
      <Empty title={words.gone}>
        <p>{words.goneHint}</p>
        <Link to="/investigations" className="button">
          {words.toList}
        </Link>
      </Empty>
    );
  if (!found.data)
    return <Failure error={found.error} what={words.thing} retry={() => void found.refetch()} />;
  return <InvestigationDesk key={id} investigation={found.data} />;
}

const noNames: ReadonlySet<string> = new Set();

function InvestigationDesk({ investigation }: { investigation: Investigation }) {
  const { id, nodes, may } = investigation;
  const search = useSearch({ from: '/app/investigations/$id' });
  const navigate = useNavigate();
  const tree = useRef<SearchTreeHandle>(null);
  const [dialog, setDialog] = useState<DeskDialog>();
  const [selected, select] = useState(noNames);
  const star = useStar(investigation);
  const node = nodes.find((one) => one.id === search.node) ?? nodes[0];
  const tab: InvestigationTab = search.tab ?? 'table';
  const go = (next: InvestigationSearch, replace = false) =>
    void navigate({ to: '/investigations/$id', params: { id }, search: next, replace });
  const choose = (nodeId: string) => {
    select(noNames);
    if (may.add) branchPoint.set({ investigationId: id, nodeId });
    go({ ...search, node: nodeId }, true);
  };
  const show = (next: InvestigationTab) => {
    const { tab: _before, ...rest } = search;
    go(next === 'table' ? rest : { ...rest, tab: next });
  };
  const others = (search.with ?? []).filter((one) => nodes.some((known) => known.id === one));
  const inGraph = new Set([...(node ? [node.id] : []), ...others]);
  const toggleGraph = () => {
    if (!node) return;
    const { with: _before, ...rest } = search;
    const next = others.includes(node.id) ? others.filter((one) => one !== node.id) : [...others, node.id];
    go(next.length === 0 ? rest : { ...rest, with: next }, true);
  };
  useDeskKeys({
    cannotAdd: useHindrances(investigation).add,
    node,
    writeNote: () => node && setDialog('note'),
    star: () => node && star(node),
    toggleGraph,
    toTree: () => tree.current?.focus(),
    show,
  });
  return (
    <div className="investigation-page">
      <InvestigationHead investigation={investigation} open={setDialog} />
      <div className="investigation-main">
        <aside className="tree-side" aria-label={words.searches}>
          {nodes.length === 0 ? (
            <NoSearches id={id} />
          ) : (
            <SearchTree
              nodes={nodes}
              current={node?.id}
              choose={choose}
              inGraph={new Set(others)}
              handle={tree}
            />
          )}
          <p className="pale tree-hint">{treeWords.hint}</p>
        </aside>
        <section className="investigation-result">
          {node && (
            <NodePanel
              investigation={investigation}
              node={node}
              isInGraph={others.includes(node.id)}
              toggleGraph={toggleGraph}
              writeNote={() => setDialog('note')}
              remove={() => setDialog('remove-node')}
            />
          )}
          <Tabs id={id} tab={tab} findings={investigation.items.length} />
          {tab === 'findings' && <Findings investigation={investigation} />}
          {tab === 'table' && node && (
            <NodeTable
              query={queryOfNode(node)}
              sort={sortIn(search)}
              setSort={(sort) => go(withSort(search, sort), true)}
              selected={selected}
              select={select}
            />
          )}
          {tab === 'graph' && node && (
            <Suspense fallback={<Skeletons count={6} label={words.loading} />}>
              <GraphTab
                id={id}
                ids={[...inGraph]}
                search={search}
                go={(next) => go(next, true)}
                selected={selected}
                select={select}
              />
            </Suspense>
          )}
          {tab !== 'findings' && selected.size > 0 && (
            <SelectionBar names={[...selected]} clear={() => select(noNames)} />
          )}
        </section>
      </div>
      {dialog && (
        <DeskDialogs
          dialog={dialog}
          investigation={investigation}
          node={node}
          close={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

function Tabs({ id, tab, findings }: { id: string; tab: InvestigationTab; findings: number }) {
  return (
    <nav className="tabs" aria-label={words.tabsLabel}>
      {investigationTabs.map((one) => (
        <Link
          key={one}
          to="/investigations/$id"
          params={{ id }}
          search={({ tab: _before, ...rest }: InvestigationSearch) =>
            one === 'table' ? rest : { ...rest, tab: one }
          }
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={tab === one ? 'page' : undefined}
        >
          {words.tabs[one]}
          {one === 'findings' && <span className="count">{findings}</span>}
        </Link>
      ))}
    </nav>
  );
}

function NoSearches({ id }: { id: string }) {
  return (
    <Empty title={words.noSearches}>
      <p>{words.noSearchesHint}</p>
      <Link
        to="/search"
        className="button"
        onClick={() => branchPoint.set({ investigationId: id, nodeId: undefined })}
      >
        {words.addSearch}
      </Link>
    </Empty>
  );
}
