import { StickyNote } from 'lucide-react';
import { memo } from 'react';
import type { TriageList } from '../../../../src/http/web/detect/filter-wire.ts';
import type { Domain } from '../../data/detect.ts';
import { type Foreign, foreign } from '../../data/foreign.ts';
import type { Move } from '../../data/moves.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Name, spokenMatch } from '../../parts/name.tsx';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { timeWords } from '../../words/parts.ts';
import { decisionWords, rowWords as words } from '../../words/triage.ts';
import { ResolvedMark } from './sightings.tsx';

interface RowProps {
  readonly domain: Domain;
  readonly list: TriageList;
  readonly index: number;
  readonly count: number;
  readonly start: number;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly term: Foreign | undefined;
  readonly move: Move | undefined;
  readonly open: (index: number) => void;
  readonly toggle: (id: string) => void;
}

/**
 * One domain. It is drawn again only when something of its own changes, and has as few elements as it can: a list may have thousands, and
 * scrolling makes twenty of them for every frame.
 */
export const Row = memo(function Row(props: RowProps) {
  const { domain, list, index, count, start, isCurrent, isSelected, term, move, open, toggle } = props;
  const [match] = domain.match;
  return (
    <div
      id={`row-${domain.id}`}
      role="option"
      aria-selected={isSelected}
      aria-current={isCurrent || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-description={spokenMatch(match)}
      className={classesOf(isCurrent, isSelected, move?.fading ?? false)}
      style={{ transform: `translateY(${start}px)` }}
      onClick={(event) => (event.metaKey || event.ctrlKey ? toggle(domain.id) : open(index))}
    >
      <span
        className="box"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          toggle(domain.id);
        }}
      />
      <Risk score={domain.risk_score} status={domain.risk_score_status} />
      <span
        className={domain.unseen ? 'cell-name unseen' : 'cell-name'}
        title={domain.unseen ? words.unseen : undefined}
      >
        <Name host={match?.host ?? domain.domain} match={match} brief />
        <Flags domain={domain} />
      </span>
      <span className={match ? 'cell-class chip' : 'cell-class'}>{match?.class}</span>
      <Text className="cell-term" of={term ?? none} />
      {move ? (
        <span className="cell-wide">
          {words.movedBy(decisionWords.done[move.to], move.by ? <Text of={move.by} /> : words.you)}
        </span>
      ) : (
        <Facts domain={domain} list={list} />
      )}
      <Ago at={(list === 'changed' ? domain.changed_date : undefined) ?? domain.discovered_date} />
    </div>
  );
});

const none = foreign('');

function classesOf(isCurrent: boolean, isSelected: boolean, isFading: boolean): string {
  return `row${isCurrent ? ' at' : ''}${isSelected ? ' picked' : ''}${isFading ? ' fading' : ''}`;
}

function Flags({ domain }: { domain: Domain }) {
  const { mx_exists, notes, assignee, sightings } = domain;
  if (notes === 0 && assignee === null && !sightings)
    return mx_exists ? <span className="takes-mail" role="img" aria-label={words.takesMail} /> : null;
  return (
    <span className="flags">
      {sightings && <ResolvedMark sightings={sightings} />}
      {mx_exists && <span className="takes-mail" role="img" aria-label={words.takesMail} />}
      {notes > 0 && <StickyNote size={13} role="img" aria-label={words.notes(notes)} />}
      {assignee !== null && (
        <span className="assignee" title={words.assignedTo(spelledOut(assignee))}>
          <Text of={assignee} />
        </span>
      )}
    </span>
  );
}

/** The two columns that differ from list to list. */
function Facts({ domain, list }: { domain: Domain; list: TriageList }) {
  if (list === 'changed')
    return (
      <span className="cell-wide">
        {domain.changes.slice(0, 4).map((field, index) => (
          <Text className="chip" key={index} of={field} />
        ))}
      </span>
    );
  if (list === 'blocked') return <Blocked domain={domain} />;
  if (list !== 'new' && domain.decided)
    return (
      <span className="cell-wide">
        {words.decidedBy(
          <Text of={domain.decided.by} />,
          <Ago at={domain.decided.at} suffix={timeWords.ago} />,
        )}
      </span>
    );
  const [address] = domain.ip;
  return (
    <>
      <TextOrDash className="cell-registrar" of={domain.registrar} />
      {address ? (
        <span className="cell-network">
          <Text className="country" of={address.country_code} /> <Text of={address.isp} />
        </span>
      ) : (
        <span className="cell-network pale">{words.noAddress}</span>
      )}
    </>
  );
}

function Blocked({ domain }: { domain: Domain }) {
  const escalation = domain.escalations.at(-1);
  if (!escalation) return <span className="cell-wide" />;
  const { escalation_type: type, created_by, created, submission } = escalation;
  return (
    <span className="cell-wide">
      {words.escalatedBy(type, <Text of={created_by} />, <Ago at={created} suffix={timeWords.ago} />)}
      {submission && <span className="chip">{submission.status}</span>}
      {submission?.error && <Text of={submission.error} />}
    </span>
  );
}

export function TextOrDash({ of, className = '' }: { of: Foreign; className?: string }) {
  return (of as unknown) === '' ? (
    <span className={`${className} pale`}>–</span>
  ) : (
    <Text className={className} of={of} />
  );
}
