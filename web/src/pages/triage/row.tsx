import { Mail, StickyNote } from 'lucide-react';
import { memo } from 'react';
import type { TriageList } from '../../../../src/http/web/detect/filter-wire.ts';
import type { Domain } from '../../data/detect.ts';
import type { Foreign } from '../../data/foreign.ts';
import type { Move } from '../../data/moves.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Name } from '../../parts/name.tsx';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { doneWords } from './decision-messages.tsx';

interface RowProps {
  readonly domain: Domain;
  readonly list: TriageList;
  readonly index: number;
  readonly count: number;
  readonly start: number;
  readonly size: number;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly term: Foreign | undefined;
  readonly move: Move | undefined;
  readonly open: (index: number) => void;
  readonly toggle: (id: string) => void;
}

/** One domain. It is drawn again only when something of its own changes: a list may have thousands. */
export const Row = memo(function Row(props: RowProps) {
  const { domain, list, index, count, start, size, isCurrent, isSelected, term, move, open, toggle } = props;
  const [match] = domain.match;
  const classes = ['row', isCurrent && 'at', isSelected && 'picked', move?.fading && 'fading']
    .filter(Boolean)
    .join(' ');
  return (
    <div
      id={`row-${domain.id}`}
      role="option"
      aria-selected={isSelected}
      aria-current={isCurrent}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={classes}
      style={{ transform: `translateY(${start}px)`, height: size }}
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
      <span className="cell-name">
        {domain.unseen && <span className="unseen" title="New since your last visit" />}
        <Name host={match?.host ?? domain.domain} match={match} />
        <Flags domain={domain} />
      </span>
      <span className="cell-class">{match && <span className="chip">{match.class}</span>}</span>
      <span className="cell-term">{term && <Text of={term} />}</span>
      {move ? (
        <span className="cell-wide">
          {doneWords[move.to]} by {move.by ? <Text of={move.by} /> : 'you'}
        </span>
      ) : (
        <Facts domain={domain} list={list} />
      )}
      <Ago at={(list === 'changed' ? domain.changed_date : undefined) ?? domain.discovered_date} />
    </div>
  );
});

function Flags({ domain }: { domain: Domain }) {
  const { mx_exists, notes, assignee } = domain;
  if (!mx_exists && notes === 0 && assignee === null) return null;
  return (
    <span className="flags">
      {mx_exists && <Mail size={13} role="img" aria-label="takes mail" />}
      {notes > 0 && <StickyNote size={13} role="img" aria-label={`${notes} notes`} />}
      {assignee !== null && (
        <span className="assignee" title={`Assigned to ${spelledOut(assignee)}`}>
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
          <span className="chip" key={index}>
            <Text of={field} />
          </span>
        ))}
      </span>
    );
  if (list === 'blocked') return <Blocked domain={domain} />;
  if (list !== 'new' && domain.decided)
    return (
      <span className="cell-wide">
        by <Text of={domain.decided.by} />, <Ago at={domain.decided.at} suffix=" ago" />
      </span>
    );
  const [address] = domain.ip;
  return (
    <>
      <span className="cell-registrar">
        <TextOrDash of={domain.registrar} />
      </span>
      <span className="cell-network">
        {address ? (
          <>
            <b>
              <Text of={address.country_code} />
            </b>{' '}
            <Text of={address.isp} />
          </>
        ) : (
          <span className="pale">no address</span>
        )}
      </span>
    </>
  );
}

function Blocked({ domain }: { domain: Domain }) {
  const escalation = domain.escalations.at(-1);
  if (!escalation) return <span className="cell-wide" />;
  const { escalation_type: type, created_by, created, submission } = escalation;
  return (
    <span className="cell-wide">
      {type === 'blocked' ? 'blocked' : 'submitted'} by <Text of={created_by} />,{' '}
      <Ago at={created} suffix=" ago" />
      {submission && <span className="chip">{submission.status}</span>}
      {submission?.error && <Text of={submission.error} />}
    </span>
  );
}

export function TextOrDash({ of }: { of: Foreign }) {
  return (of as unknown) === '' ? <span className="pale">–</span> : <Text of={of} />;
}
