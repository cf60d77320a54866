import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { undoDecision } from '../../data/decide.ts';
import { type LoggedDecision, useRecentDecisions } from '../../data/detect.ts';
import { plain } from '../../data/foreign.ts';
import { useMe, useMissing } from '../../data/me.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { recentDecisionWords as words } from '../../words/decisions.ts';
import { actionWords, timeWords } from '../../words/parts.ts';
import { decisionWords } from '../../words/triage.ts';
import { showFailure, showUndone } from '../triage/decision-messages.tsx';

/** Who decided what, newest first, each with its undo: also an hour or a day later. */
export function RecentDecisions() {
  useTitle(words.title);
  const { by } = useSearch({ from: '/app/decisions' });
  const me = useMe().data;
  const query = useRecentDecisions(by);
  const decisions = query.data?.pages.flatMap((page) => page.decisions) ?? [];
  return (
    <div className="page-body">
      <header className="page-head">
        <h1>{words.title}</h1>
        <nav className="tabs" aria-label={words.whose}>
          <Link to="/decisions" search={{}} aria-current={by === undefined ? 'page' : undefined}>
            {words.everybodys}
          </Link>
          {me && (
            <Link
              to="/decisions"
              search={{ by: plain(me.person.name) }}
              aria-current={by === plain(me.person.name) ? 'page' : undefined}
            >
              {words.mine}
            </Link>
          )}
        </nav>
      </header>
      {query.isPending && <Skeletons count={6} label={words.loading} />}
      {query.isError && (
        <Failure error={query.error} what={words.theDecisions} retry={() => void query.refetch()} />
      )}
      {query.data && decisions.length === 0 && <Empty title={words.none} />}
      <ol className="decisions">
        {decisions.map((decision) => (
          <DecisionLine key={decision.id} decision={decision} />
        ))}
      </ol>
      {query.hasNextPage && (
        <button type="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words.earlier}
        </button>
      )}
    </div>
  );
}

function DecisionLine({ decision }: { decision: LoggedDecision }) {
  const client = useQueryClient();
  const missing = useMissing('triage');
  const { id, by, at, to, domains, first_names, undone, can_undo } = decision;
  const undo = useMutation({
    mutationFn: () => undoDecision(client, id),
    onSuccess: showUndone,
    onError: showFailure,
  });
  const more = domains - first_names.length;
  return (
    <li className={undone ? 'undone' : undefined}>
      <Ago at={at} suffix={timeWords.ago} />
      <div>
        <b>{decisionWords.done[to]}</b>{' '}
        {first_names.map((name, index) => (
          <span key={index} className="mono">
            {index > 0 && ', '}
            <Text of={name} />
          </span>
        ))}
        {more > 0 && words.more(more)}
        <small>
          {words.by(<Text of={by} />)}
          {undone && words.undoneBy(<Text of={undone.by} />, <Ago at={undone.at} suffix={timeWords.ago} />)}
        </small>
      </div>
      {!undone && (
        <button
          type="button"
          disabled={!can_undo || missing !== undefined || undo.isPending}
          title={missing ?? (can_undo ? undefined : words.tooLate)}
          onClick={() => undo.mutate()}
        >
          <Undo2 size={15} aria-hidden /> {actionWords.undo}
        </button>
      )}
    </li>
  );
}
