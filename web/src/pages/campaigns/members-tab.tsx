/** The domains of a campaign as a table, where they are removed and others added. */
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  type Campaign,
  type CampaignMember,
  useChangeMembers,
  useMemberPages,
} from '../../data/campaign/campaigns.ts';
import { foreign, plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { spelledOut } from '../../data/unseen.ts';
import { defang } from '../../names/defang.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Risk } from '../../parts/risk.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { memberWords as words } from '../../words/campaigns/campaign-words.ts';
import { actionWords, timeWords } from '../../words/parts.ts';
import { defanged, showFailure } from '../triage/decision-messages.tsx';
import { LinkList } from './link-text.tsx';
import { namesIn } from './make-campaign.tsx';

export function MembersTab({ campaign: { id } }: { campaign: Campaign }) {
  const pages = useMemberPages(id);
  const change = useChangeMembers(id);
  if (pages.isPending) return <Skeletons count={8} label={words.loading} />;
  if (pages.isError)
    return <Failure error={pages.error} what={words.thing} retry={() => void pages.refetch()} />;
  const members = pages.data.pages.flatMap((page) => page.members);
  const total = pages.data.pages[0]?.total_count ?? 0;
  /** Held here: the line of a removed domain leaves the page. */
  const remove = (domain: string) =>
    change.mutate(
      { remove: [domain] },
      {
        onSuccess: () =>
          showToast({
            text: words.removed(<Text of={foreign(defang(domain))} />),
            action: {
              label: actionWords.undo,
              run: () => change.mutate({ add: [domain] }, { onError: showFailure }),
            },
          }),
        onError: showFailure,
      },
    );
  return (
    <div className="campaign-members">
      <AddMembers id={id} />
      {members.length === 0 ? (
        <Empty title={words.nothing} />
      ) : (
        <MemberTable members={members} remove={remove} isBusy={change.isPending} />
      )}
      {pages.hasNextPage && (
        <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {words.showMore(total - members.length)}
        </button>
      )}
    </div>
  );
}

function AddMembers({ id }: { id: string }) {
  const [typed, setTyped] = useState('');
  const change = useChangeMembers(id);
  const missing = useMissing('triage');
  const names = namesIn(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { add: [...names] },
      {
        onSuccess: () => {
          setTyped('');
          showToast({ text: words.addedNow(names.length) });
        },
      },
    );
  };
  return (
    <form className="add-members" onSubmit={submit}>
      <input
        aria-label={words.addLabel}
        placeholder={words.addHint}
        className="mono"
        disabled={missing !== undefined}
        title={missing}
        value={typed}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button
        type="submit"
        disabled={missing !== undefined || change.isPending || names.length === 0}
        title={missing}
      >
        {words.add}
      </button>
      <FieldError error={change.error ?? undefined} />
    </form>
  );
}

interface MemberTableProps {
  readonly members: readonly CampaignMember[];
  readonly remove: (domain: string) => void;
  readonly isBusy: boolean;
}

function MemberTable({ members, remove, isBusy }: MemberTableProps) {
  const { columns } = words;
  const missing = useMissing('triage');
  return (
    <WideTable label={words.label} panel>
      <table className="data-table member-table">
        <TableHead
          columns={[
            columns.domain,
            columns.risk,
            columns.state,
            columns.joined,
            columns.first,
            columns.links,
            { unseen: columns.actions },
          ]}
        />
        <tbody>
          {members.map((member) => (
            <tr key={plain(member.domain)}>
              <th scope="row">
                <Link to="/domain/$name" params={{ name: plain(member.domain) }}>
                  <Name host={member.domain} />
                </Link>
              </th>
              <td>
                <Risk score={member.risk_score} status={null} />
              </td>
              <td>
                <State member={member} />
              </td>
              <td>
                <Ago at={member.joined_date} suffix={timeWords.ago} />
              </td>
              <td>
                <Ago at={member.first_seen_date} suffix={timeWords.ago} />
              </td>
              <td>
                {member.origin === 'added' && <span className="pale">{words.added}</span>}
                <LinkList links={member.links} />
              </td>
              <td className="row-actions">
                <button
                  type="button"
                  className="ghost"
                  disabled={missing !== undefined || isBusy}
                  title={missing}
                  aria-label={words.remove(spelledOut(defanged(member)))}
                  onClick={() => remove(plain(member.domain))}
                >
                  <X size={15} aria-hidden />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

/** The list that the domain is on, which leads to it. */
function State({ member: { state, domain_id: id } }: { member: CampaignMember }) {
  if (state === 'past' || id === null)
    return (
      <span className="pale" title={words.pastHint}>
        {words.past}
      </span>
    );
  const place = { at: id, card: true as const };
  return (
    <Link to="/triage" search={state === 'new' ? place : { s: state, ...place }} title={words.inTriage}>
      {words.states[state]}
    </Link>
  );
}
