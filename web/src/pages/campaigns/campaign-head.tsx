/** The name of a campaign, what is known of the whole, and what can be done with it. */
import { useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Bell, BellRing, Download, FileCheck2, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import {
  type Campaign,
  campaignPath,
  drawnMembers,
  useChangeCampaign,
  useForgetCampaign,
  useMembers,
} from '../../data/campaign/campaigns.ts';
import { downloadFile } from '../../data/download.ts';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { campaignWords as words } from '../../words/campaigns/campaign-words.ts';
import { timeWords } from '../../words/parts.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { CampaignName } from './campaign-name.tsx';
import { CampaignNote } from './campaign-note.tsx';

const PackDialog = lazy(async () => ({ default: (await import('../evidence/pack-dialog.tsx')).PackDialog }));

export function CampaignHead({ campaign }: { campaign: Campaign }) {
  return (
    <header className="campaign-head">
      <small>{words.kind}</small>
      <CampaignName campaign={campaign} />
      <Facts campaign={campaign} />
      <CampaignNote campaign={campaign} />
      <Actions campaign={campaign} />
    </header>
  );
}

function Facts({ campaign }: { campaign: Campaign }) {
  const { origin, created_by, created_date, member_count, past_member_count, last_joined_date } = campaign;
  const created = <Ago at={created_date} suffix={timeWords.ago} />;
  return (
    <div className="campaign-facts">
      {campaign.state === 'closed' && <span className="chip">{words.closed}</span>}
      <span title={words.highestRisk}>
        <Risk score={campaign.max_risk_score} status={null} inWords />
      </span>
      <span>{words.members(member_count, past_member_count)}</span>
      <span>{words.latest(<Ago at={last_joined_date} suffix={timeWords.ago} />)}</span>
      <span>
        {origin === 'made' && created_by !== null
          ? words.origin.made(<Text of={created_by} />, created)
          : words.origin.found(created)}
      </span>
      {campaign.monitors.length > 0 && (
        <span>
          {words.ofMonitors}{' '}
          {campaign.monitors.map(({ id, term }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Text of={term} />
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

function Actions({ campaign }: { campaign: Campaign }) {
  const { id, followed, state } = campaign;
  const change = useChangeCampaign(id);
  const missing = useMissing('triage');
  const [isForgetting, setForgetting] = useState(false);
  const [isPacking, setPacking] = useState(false);
  const isDisabled = missing !== undefined || change.isPending;
  const follow = () =>
    change.mutate(
      { followed: !followed },
      {
        onSuccess: () => showToast({ text: followed ? words.nowUnfollowed : words.nowFollowed }),
        onError: showFailure,
      },
    );
  const toggleState = () =>
    change.mutate(
      { state: state === 'active' ? 'closed' : 'active' },
      {
        onSuccess: () => showToast({ text: state === 'active' ? words.nowClosed : words.nowReopened }),
        onError: showFailure,
      },
    );
  const saveStix = async () => {
    try {
      const file = await downloadFile(campaignPath(id, '/stix'), {}, new AbortController().signal);
      showToast({ text: words.stixSaved(file) });
    } catch (error) {
      showFailure(error);
    }
  };
  useKeys([{ keys: 'f', label: words.followKey, group: 'Lists', run: follow, disabled: missing }]);
  return (
    <div className="buttons start">
      <button
        type="button"
        className="follow"
        aria-pressed={followed}
        disabled={isDisabled}
        title={missing ?? words.followHint}
        onClick={follow}
      >
        {followed ? <BellRing size={15} aria-hidden /> : <Bell size={15} aria-hidden />}{' '}
        {followed ? words.following : words.follow}
      </button>
      <button
        type="button"
        disabled={isDisabled}
        title={missing ?? (state === 'active' ? words.closeHint : undefined)}
        onClick={toggleState}
      >
        {state === 'active' ? <Archive size={15} aria-hidden /> : <ArchiveRestore size={15} aria-hidden />}{' '}
        {state === 'active' ? words.close : words.reopen}
      </button>
      <button type="button" title={words.stixHint} onClick={() => void saveStix()}>
        <Download size={15} aria-hidden /> {words.stix}
      </button>
      <button
        type="button"
        disabled={missing !== undefined}
        title={missing ?? words.packHint}
        onClick={() => setPacking(true)}
      >
        <FileCheck2 size={15} aria-hidden /> {words.pack}
      </button>
      <button
        type="button"
        className="danger"
        disabled={isDisabled}
        title={missing}
        onClick={() => setForgetting(true)}
      >
        <Trash2 size={15} aria-hidden /> {words.forget}
      </button>
      {isPacking && <Pack id={id} close={() => setPacking(false)} />}
      {isForgetting && <Forget id={id} close={() => setForgetting(false)} />}
    </div>
  );
}

/** Of the latest domains, as many as a pack may have. */
function Pack({ id, close }: { id: string; close: () => void }) {
  const members = useMembers(id, drawnMembers);
  if (!members.data) return null;
  return (
    <Suspense>
      <PackDialog domains={members.data.members.map(({ domain }) => plain(domain))} close={close} />
    </Suspense>
  );
}

function Forget({ id, close }: { id: string; close: () => void }) {
  const forget = useForgetCampaign(id);
  const navigate = useNavigate();
  return (
    <Confirm
      label={words.forgetTitle}
      question={words.forgetTitle}
      action={words.forget}
      pending={forget.isPending}
      close={close}
      run={() =>
        forget.mutate(undefined, {
          onSuccess: () => {
            showToast({ text: words.forgotten });
            void navigate({ to: '/campaigns', search: {} });
          },
          onError: showFailure,
        })
      }
    >
      <p>{words.forgetText}</p>
    </Confirm>
  );
}
