/** One case: its pack, whom it is for, when it was sent and answered, what became of it, and a letter to copy. */
import '../../styles/evidence.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Copy, Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { Name } from '../../parts/name.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { caseWords as words } from '../../words/evidence/cases.ts';
import { copyText } from '../triage/copy-name.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { type CaseView, type EvidenceCase, useCase, useDeleteCase, useDownloadPack } from './case-data.ts';
import { CaseForm } from './case-form.tsx';

export function CasePage() {
  const { id } = useParams({ from: '/app/evidence/$id' });
  const view = useCase(id);
  useTitle(words.title(id.slice(0, 8)));
  return (
    <div className="page-body evidence-page">
      {view.isLoading && <Skeletons count={8} label={words.loading} />}
      {view.isError && <Failure error={view.error} what={words.theCase} retry={() => void view.refetch()} />}
      {view.data && !view.isError && <Case view={view.data} />}
    </div>
  );
}

function Case({ view }: { view: CaseView }) {
  const made = view.case;
  const missing = useMissing('triage');
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <header className="page-head">
        <h1>{words.title(made.id.slice(0, 8))}</h1>
        <div className="grow" />
        <Link to="/evidence" className="button">
          {words.back}
        </Link>
        <button
          type="button"
          disabled={missing !== undefined}
          title={missing}
          onClick={() => setDeleting(true)}
        >
          <Trash2 size={15} aria-hidden /> {words.delete}
        </button>
      </header>
      <p className="pale">{words.made(<Text of={made.created_by} />, <Moment at={made.created} />)}</p>
      <div className="case">
        <Pack view={view} />
        <section className="panel">
          <h2>{words.what}</h2>
          <CaseForm key={stateOf(made)} made={made} missing={missing} />
        </section>
        <Letter letter={made.letter} />
      </div>
      {isDeleting && <DeleteCase id={made.id} close={() => setDeleting(false)} />}
    </>
  );
}

/** What the form starts from: it starts anew when somebody else has changed the case. */
const stateOf = ({ recipient, recipient_name, note, sent, answered, outcome }: EvidenceCase): string =>
  JSON.stringify([recipient, recipient_name, note, sent, answered, outcome]);

function Pack({ view: { case: made, key } }: { view: CaseView }) {
  const download = useDownloadPack();
  return (
    <section className="panel">
      <h2>{words.domains}</h2>
      <ul className="pack-domains">
        {made.domains.map((domain) => (
          <li key={plain(domain)}>
            <Link to="/domain/$name" params={{ name: plain(domain) }}>
              <Name host={domain} />
            </Link>
          </li>
        ))}
      </ul>
      <h2>{words.pack}</h2>
      <dl className="pack-facts">
        <dt>{words.checksum}</dt>
        <dd className="mono">
          <Text of={made.pack.sha256} />
        </dd>
        <dt>{words.key}</dt>
        <dd className="mono">
          <Text of={key.fingerprint} />
        </dd>
      </dl>
      <p className="buttons start">
        <button
          type="button"
          disabled={download.isPending}
          onClick={() =>
            download.mutate(made.id, {
              onSuccess: (file) => showToast({ text: words.saved(file) }),
              onError: showFailure,
            })
          }
        >
          <Download size={15} aria-hidden /> {words.download} <small>{words.size(made.pack.bytes)}</small>
        </button>
      </p>
    </section>
  );
}

function Letter({ letter: { subject, text } }: { letter: EvidenceCase['letter'] }) {
  return (
    <section className="panel wide">
      <h2>{words.letter}</h2>
      <p className="pale">{words.letterHint}</p>
      <p>
        <span className="pale">{words.subject}</span> <Text of={subject} />
      </p>
      <section className="letter" aria-label={words.text} tabIndex={0}>
        <Text of={text} lines />
      </section>
      <p className="buttons start">
        <button type="button" onClick={() => void copyText(plain(subject), words.copied)}>
          <Copy size={15} aria-hidden /> {words.copySubject}
        </button>
        <button type="button" onClick={() => void copyText(plain(text), words.copied)}>
          <Copy size={15} aria-hidden /> {words.copyLetter}
        </button>
      </p>
    </section>
  );
}

function DeleteCase({ id, close }: { id: string; close: () => void }) {
  const remove = useDeleteCase(id);
  const navigate = useNavigate();
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showToast({ text: words.deleted });
        void navigate({ to: '/evidence', replace: true });
      },
    });
  return (
    <Dialog label={words.delete} close={close}>
      <h2>{words.deleteTitle}</h2>
      <p>{words.deleteHint}</p>
      <FieldError error={remove.error} />
      <DialogButtons action={words.delete} danger disabled={remove.isPending} run={confirm} close={close} />
    </Dialog>
  );
}
