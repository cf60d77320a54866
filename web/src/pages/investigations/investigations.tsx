/** All investigations that the person may see. */
import '../../styles/investigations.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileUp, Plus } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { foreign } from '../../data/foreign.ts';
import {
  type InvestigationHead,
  type Sharing,
  useCreateInvestigation,
  useImportInvestigation,
  useInvestigations,
} from '../../data/investigation/investigations.ts';
import { useMissing } from '../../data/me.ts';
import { ServerError } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { sharingWords, listWords as words } from '../../words/investigations.ts';
import { timeWords } from '../../words/parts.ts';
import { SharingField } from './change-dialogs.tsx';

export function Investigations() {
  useTitle(words.title);
  const list = useInvestigations();
  const missing = useMissing('triage');
  const [isMaking, setMaking] = useState(false);
  const all = list.data?.investigations ?? [];
  return (
    <div className="page-body lists-page">
      <header className="page-head">
        <h1>
          {words.title} {list.data && <span className="count">{all.length}</span>}
        </h1>
        <div className="grow" />
        <Import missing={missing} />
        <button
          type="button"
          className="primary"
          disabled={missing !== undefined}
          title={missing}
          onClick={() => setMaking(true)}
        >
          <Plus size={15} aria-hidden /> {words.newOne}
        </button>
      </header>
      {list.isLoading && <Skeletons count={6} label={words.loading} />}
      {list.isError && <Failure error={list.error} what={words.thing} retry={() => void list.refetch()} />}
      {list.data && all.length === 0 && (
        <Empty title={words.empty}>
          <p>{words.emptyHint}</p>
          <Link to="/search" className="button">
            {words.toSearch}
          </Link>
        </Empty>
      )}
      {all.length > 0 && <InvestigationTable all={all} />}
      {isMaking && <NewInvestigation close={() => setMaking(false)} />}
    </div>
  );
}

function InvestigationTable({ all }: { all: readonly InvestigationHead[] }) {
  return (
    <WideTable label={words.title} panel>
      <table className="data-table investigations">
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.content}</th>
            <th scope="col">{words.sharing}</th>
            <th scope="col">{words.by}</th>
            <th scope="col">{words.changed}</th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <Link to="/investigations/$id" params={{ id: one.id }} search={{}}>
                  <Text of={one.name} />
                </Link>
              </th>
              <td>{words.contentOf(one.searches, one.findings)}</td>
              <td>
                <span className="chip">{sharingWords[one.sharing]}</span>
              </td>
              <td>
                <Text of={one.by} />
              </td>
              <td>
                {words.changedBy(
                  <Text of={one.changed_by} />,
                  <Ago at={one.changed_at} suffix={timeWords.ago} />,
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function NewInvestigation({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [sharing, setSharing] = useState<Sharing>('private');
  const create = useCreateInvestigation();
  const submit = () =>
    create.mutate(
      { name: name.trim(), sharing },
      { onSuccess: ({ id }) => void navigate({ to: '/investigations/$id', params: { id }, search: {} }) },
    );
  return (
    <Dialog label={words.createTitle} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2>{words.createTitle}</h2>
        <label className="field">
          {words.name}
          <input
            required
            maxLength={100}
            value={name}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <SharingField value={sharing} choose={setSharing} />
        <FieldError error={create.error ?? undefined} />
        <div className="buttons">
          <button type="submit" className="primary" disabled={create.isPending || name.trim() === ''}>
            {words.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Import({ missing }: { missing: string | undefined }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const send = useImportInvestigation();
  const open = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file) return;
    const parsed = parse(await file.text());
    // The same file can be chosen again.
    if (field.current) field.current.value = '';
    if (parsed === undefined) {
      showToast({ bad: true, text: words.notAFile });
      return;
    }
    send.mutate(parsed, {
      onSuccess: ({ id }) => void navigate({ to: '/investigations/$id', params: { id }, search: {} }),
      onError: (error) => {
        const sentence = error instanceof ServerError ? error.sentence : foreign(error.message);
        showToast({ bad: true, text: <Text of={sentence} /> });
      },
    });
  };
  return (
    <>
      <input
        ref={field}
        type="file"
        accept=".json,application/json"
        className="sr"
        tabIndex={-1}
        aria-label={words.importHint}
        onChange={(event) => void open(event)}
      />
      <button
        type="button"
        disabled={missing !== undefined || send.isPending}
        title={missing ?? words.importHint}
        onClick={() => field.current?.click()}
      >
        <FileUp size={15} aria-hidden /> {words.importOne}
      </button>
    </>
  );
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
