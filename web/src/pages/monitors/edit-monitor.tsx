import '../../styles/monitors.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { type MonitorDetails, useChangeMonitor, useDeleteMonitor, useMonitor } from '../../data/monitors.ts';
import { showToast } from '../../data/toasts.ts';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { monitorWords as words } from '../../words/monitors.ts';
import { actionWords } from '../../words/parts.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { BackTest } from './back-test.tsx';
import { Drift } from './declared.tsx';
import { MonitorEditor } from './monitor-editor.tsx';

export function EditMonitor() {
  useTitle(words.one);
  const { id } = useParams({ from: '/app/monitors/$id' });
  const details = useMonitor(id);
  return (
    <div className="page-body monitors-page">
      {details.isPending && <Skeletons count={8} label={words.loadingOne} />}
      {details.isError && (
        <Failure error={details.error} what={words.theMonitor} retry={() => void details.refetch()} />
      )}
      {details.data && (
        <Editor key={details.data.monitor.updated_at as unknown as string} details={details.data} />
      )}
    </div>
  );
}

function Editor({ details }: { details: MonitorDetails }) {
  const { monitor, domains } = details;
  const navigate = useNavigate();
  const missing = useMissing('manage');
  const change = useChangeMonitor(monitor.id);
  const [asking, setAsking] = useState(false);
  const isPaused = monitor.state === 'inactive';
  return (
    <>
      <h1>
        <span className="mono">
          <Text of={monitor.term} />
        </span>
        {isPaused && <span className="chip">{words.paused}</span>}
      </h1>
      <p className="pale">
        {words.madeBy(
          <Text of={monitor.created_by} />,
          <Moment at={monitor.created_at as unknown as string} />,
          domains,
        )}
      </p>
      {monitor.declared && (
        <p className="banner">
          {words.declaredHint(<Text of={monitor.declared.file} />)} <Drift declared={monitor.declared} />
        </p>
      )}
      <MonitorEditor
        first={{
          term: plain(monitor.term),
          match_substring_variations: monitor.match_substring_variations,
          nameserver_exclusions: monitor.nameserver_exclusions.map(plain),
          text_exclusions: monitor.text_exclusions.map(plain),
          passive_only: monitor.passive_only,
        }}
        fixedTerm
        effect={({ term: _term, ...settings }) => <BackTest id={monitor.id} change={settings} />}
        saveLabel={actionWords.save}
        saving={change.isPending}
        error={change.error}
        save={({ term: _term, ...changes }) =>
          change.mutate(changes, { onSuccess: () => showToast({ text: actionWords.saved }) })
        }
      >
        <div className="buttons start danger-zone">
          <button
            type="button"
            disabled={missing !== undefined || change.isPending}
            title={missing}
            onClick={() =>
              change.mutate({ state: isPaused ? 'active' : 'inactive' }, { onError: showFailure })
            }
          >
            {isPaused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
            {isPaused ? words.resume : words.pause}
          </button>
          <button
            type="button"
            className="danger"
            disabled={missing !== undefined}
            title={missing}
            onClick={() => setAsking(true)}
          >
            <Trash2 size={15} aria-hidden /> {words.delete}
          </button>
        </div>
      </MonitorEditor>
      {asking && (
        <DeleteDialog
          details={details}
          close={() => setAsking(false)}
          done={() => void navigate({ to: '/monitors' })}
        />
      )}
    </>
  );
}

interface DeleteDialogProps {
  readonly details: MonitorDetails;
  readonly close: () => void;
  readonly done: () => void;
}

function DeleteDialog({ details: { monitor, alone }, close, done }: DeleteDialogProps) {
  const remove = useDeleteMonitor(monitor.id);
  const [keepBlocks, setKeepBlocks] = useState(true);
  const run = () =>
    remove.mutate(keepBlocks, {
      onSuccess: ({ removed, blocked }) => {
        showToast({ text: words.deleted(removed, blocked) });
        done();
      },
      onError: showFailure,
    });
  return (
    <Confirm
      label={words.deleteTitle}
      question={words.deleteQuestion(<Text of={monitor.term} />)}
      action={words.deleteIt}
      run={run}
      pending={remove.isPending}
      close={close}
    >
      <p>{alone.domains === 0 ? words.deletesNothing : words.deletes(alone.domains, alone.decided)}</p>
      {alone.blocked > 0 && (
        <label className="choice">
          <input
            type="checkbox"
            checked={keepBlocks}
            onChange={({ target }) => setKeepBlocks(target.checked)}
          />
          {words.keepBlocks(alone.blocked)}
        </label>
      )}
    </Confirm>
  );
}
