/** The current search of an investigation: what it is, what it found then and now, its note, and what can be done with it. */
import { Link } from '@tanstack/react-router';
import { GitBranch, Hash, RefreshCw, Search, Star, StickyNote, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { foreign, plain } from '../../data/foreign.ts';
import { branchPoint } from '../../data/investigation/branch-point.ts';
import {
  changeNode,
  type Investigation,
  queryOfNode,
  type SearchNode,
  useCountAgain,
  useInvestigationChange,
} from '../../data/investigation/investigations.ts';
import { makeSearchHash } from '../../data/search.ts';
import { showToast } from '../../data/toasts.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { dialogWords, nodeWords as words } from '../../words/investigations.ts';
import { domains } from '../../words/language.ts';
import { timeWords } from '../../words/parts.ts';
import { searchWords } from '../../words/search.ts';
import { queryWords } from '../search/condition-words.ts';
import { addressOfQuery } from '../search/search-address.ts';
import { copyText } from '../triage/copy-name.ts';
import { useHindrances } from './use-hindrances.ts';

interface NodePanelProps {
  readonly investigation: Investigation;
  readonly node: SearchNode;
  readonly isInGraph: boolean;
  readonly toggleGraph: () => void;
  readonly writeNote: () => void;
  readonly remove: () => void;
}

export function useStar(investigation: Investigation) {
  const change = useInvestigationChange(investigation.id);
  return (node: SearchNode) =>
    change.mutate(changeNode(investigation.version, node.id, { star: !node.star }), {
      onError: () => showToast({ bad: true, text: dialogWords.failed }),
    });
}

export function NodePanel(props: NodePanelProps) {
  const { investigation, node, isInGraph, toggleGraph, writeNote, remove } = props;
  const { may } = investigation;
  const query = queryOfNode(node);
  const star = useStar(investigation);
  const count = useCountAgain(investigation.id);
  const hindered = useHindrances(investigation);
  const cannotRemove = hindered.remove(node);
  const copyHash = async () => {
    try {
      await copyText(await makeSearchHash(query), searchWords.hashCopied);
    } catch (error) {
      showToast({ bad: true, text: <Text of={foreign(error instanceof Error ? error.message : '')} /> });
    }
  };
  return (
    <section className="panel node-panel">
      <h2 className="mono">
        <Text of={foreign(queryWords(query))} />
      </h2>
      <Counts node={node} />
      {plain(node.note) !== '' && (
        <p className="node-note">
          <Text of={node.note} lines />
        </p>
      )}
      <div className="buttons start">
        <button type="button" disabled={!may.add} title={hindered.add} onClick={writeNote}>
          <StickyNote size={15} aria-hidden /> {plain(node.note) === '' ? words.addNote : words.editNote}{' '}
          <kbd>m</kbd>
        </button>
        <button
          type="button"
          aria-pressed={node.star}
          disabled={!may.add}
          title={hindered.add}
          onClick={() => star(node)}
        >
          <Star size={15} aria-hidden /> {words.star} <kbd>*</kbd>
        </button>
        <button type="button" aria-pressed={isInGraph} onClick={toggleGraph}>
          {words.inGraph} <kbd>x</kbd>
        </button>
        <button type="button" disabled={count.isPending} onClick={() => count.mutate([node.id])}>
          <RefreshCw size={15} aria-hidden /> {count.isPending ? words.counting : words.countAgain}
        </button>
        <Link className="button" to="/search" search={addressOfQuery(query)} preload={false}>
          <Search size={15} aria-hidden /> {words.openSearch}
        </Link>
        {may.add && (
          <Link
            className="button"
            to="/search"
            search={addressOfQuery(query)}
            title={words.branchTitle}
            preload={false}
            onClick={() => branchPoint.set({ investigationId: investigation.id, nodeId: node.id })}
          >
            <GitBranch size={15} aria-hidden /> {words.branch}
          </Link>
        )}
        <button type="button" onClick={() => void copyHash()}>
          <Hash size={15} aria-hidden /> {words.copyHash}
        </button>
        <button
          type="button"
          className="danger"
          disabled={cannotRemove !== undefined}
          title={cannotRemove}
          onClick={remove}
        >
          <Trash2 size={15} aria-hidden /> {words.remove}
        </button>
      </div>
      <FieldError error={count.error ?? undefined} />
    </section>
  );
}

function Counts({ node: { count_then: then, count_now: now, by, at } }: { node: SearchNode }) {
  const saved = <Ago at={at} suffix={timeWords.ago} />;
  const who = <Text of={by} />;
  const risk = now ?? then;
  return (
    <p className="node-counts">
      <span>{then ? words.saved(domains(then.domains), saved, who) : words.savedUncounted(saved, who)}</span>
      {now && <NowCount then={then} now={now} />}
      {risk && risk.average_risk !== null && (
        <span>
          {words.averageRisk} <Risk score={Math.round(risk.average_risk)} status={null} inWords />
        </span>
      )}
    </p>
  );
}

type Count = NonNullable<SearchNode['count_now']>;

function NowCount({ then, now }: { then: Count | null; now: Count }): ReactNode {
  if (then && then.at === now.at) return null;
  return <span>{words.countedNow(domains(now.domains), <Ago at={now.at} suffix={timeWords.ago} />)}</span>;
}
