/** The domains of a campaign and the values that they share, drawn. The list beside it has what is chosen; the other views have everything. */
import '../../styles/graph.css';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import {
  type Campaign,
  type CampaignMember,
  drawnMembers,
  useMembers,
} from '../../data/campaign/campaigns.ts';
import { foreign, plain } from '../../data/foreign.ts';
import { Name } from '../../parts/name.tsx';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Risk } from '../../parts/risk.tsx';
import { campaignGraphWords as words } from '../../words/campaigns/campaign-words.ts';
import { graphWords } from '../../words/investigations.ts';
import type { GraphHandle } from '../investigations/graph/graph-canvas.tsx';
import { GraphFigure, ZoomButtons } from '../investigations/graph/graph-figure.tsx';
import { graphModel } from '../investigations/graph/graph-model.ts';
import { hasWebGl } from '../investigations/graph/web-gl.ts';
import { sharedValues } from './shared-values.ts';

const firstDrawn = 200;
/** Together with their values the graph stays readable and quick. */
const mostDrawn = 4 * drawnMembers;

export function CampaignGraph({ campaign: { id } }: { campaign: Campaign }) {
  const [max, setMax] = useState(firstDrawn);
  const members = useMembers(id, max);
  if (members.isPending) return <Skeletons count={8} label={words.loading} />;
  if (members.isError)
    return <Failure error={members.error} what={words.thing} retry={() => void members.refetch()} />;
  const { total, members: drawn } = members.data;
  return (
    <div className="graph-desk campaign-graph">
      {drawn.length < total && (
        <p className="banner">
          {words.some(drawn.length, total)}{' '}
          {max < mostDrawn && (
            <button type="button" onClick={() => setMax(mostDrawn)}>
              {words.showAll}
            </button>
          )}
        </p>
      )}
      <Graph members={drawn} />
    </div>
  );
}

const nothing: ReadonlySet<string> = new Set();

function Graph({ members }: { members: readonly CampaignMember[] }) {
  const [canDraw] = useState(hasWebGl);
  const [selected, select] = useState(nothing);
  const canvas = useRef<GraphHandle>(null);
  const shared = useMemo(() => sharedValues(members), [members]);
  const model = useMemo(() => graphModel(shared, true), [shared]);
  if (shared.values.length === 0) return <Empty title={words.nothing} />;
  const kinds = [...new Set(shared.values.map(({ kind }) => kind))];
  return (
    <>
      <div className="graph-tools">
        <span>{graphWords.of(members.length, shared.values.length)}</span>
        <span className="grow" />
        {canDraw && <ZoomButtons canvas={canvas} />}
      </div>
      <div className={canDraw ? 'graph-and-table' : 'graph-and-table no-graph'}>
        <GraphFigure
          canDraw={canDraw}
          kinds={kinds}
          model={model}
          selected={selected}
          select={select}
          current={undefined}
          isLocked={false}
          handle={canvas}
        />
        <Chosen members={members} selected={selected} />
      </div>
    </>
  );
}

const chosenMax = 200;

/** What is selected in the graph, or everything. */
function Chosen({
  members,
  selected,
}: {
  members: readonly CampaignMember[];
  selected: ReadonlySet<string>;
}) {
  const chosen = members.filter(({ domain }) => selected.size === 0 || selected.has(plain(domain)));
  return (
    <section className="panel chosen-domains" aria-label={graphWords.table} tabIndex={0}>
      <p className="pale" role="status">
        {selected.size === 0 ? words.chooseHint : graphWords.selected(chosen.length)}
      </p>
      <ul>
        {chosen.slice(0, chosenMax).map(({ domain, risk_score }) => (
          <li key={plain(domain)}>
            <Link to="/domain/$name" params={{ name: plain(domain) }}>
              <Name host={foreign(plain(domain))} />
            </Link>
            <Risk score={risk_score} status={null} />
          </li>
        ))}
        {chosen.length > chosenMax && <li className="pale">{words.more(chosen.length - chosenMax)}</li>}
      </ul>
    </section>
  );
}
