/** Makes one pack of some domains: asked for whom it is, saved when it is made, kept as a case. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { foreign } from '../../data/foreign.ts';
import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { Name } from '../../parts/name.tsx';
import { recipientWords, packWords as words } from '../../words/evidence/cases.ts';
import {
  noteLengthMax,
  packDomainsMax,
  type Recipient,
  recipientNameLengthMax,
  recipients,
  useMakePack,
} from './case-data.ts';

interface PackDialogProps {
  /** Punycode. */
  readonly domains: readonly string[];
  readonly close: () => void;
}

const shownMax = 6;

export function PackDialog({ domains, close }: PackDialogProps) {
  const make = useMakePack();
  const navigate = useNavigate();
  const [recipient, setRecipient] = useState<Recipient>('registrar');
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const taken = domains.slice(0, packDomainsMax);
  const submit = () =>
    make.mutate(
      { domains: [...taken], recipient, recipient_name: name.trim(), note: note.trim() },
      {
        onSuccess: ({ id, file }) => {
          close();
          showToast({
            text: words.saved(file),
            action: {
              label: words.open,
              run: () => void navigate({ to: '/evidence/$id', params: { id } }),
            },
          });
        },
      },
    );
  return (
    <Dialog label={words.label} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2>{words.title(taken.length)}</h2>
        {domains.length > packDomainsMax && (
          <p className="banner">{words.tooMany(packDomainsMax, domains.length)}</p>
        )}
        <ul className="pack-domains">
          {taken.slice(0, shownMax).map((domain) => (
            <li key={domain}>
              <Name host={foreign(domain)} />
            </li>
          ))}
          {taken.length > shownMax && <li className="pale">{words.more(taken.length - shownMax)}</li>}
        </ul>
        <p className="pale">{words.what}</p>
        <label className="field">
          {words.recipient}
          <select
            data-first
            value={recipient}
            onChange={({ target }) => setRecipient(target.value as Recipient)}
          >
            {recipients.map((one) => (
              <option key={one} value={one}>
                {recipientWords[one]}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          {words.recipientName}
          <input
            value={name}
            maxLength={recipientNameLengthMax}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <label className="field">
          {words.note}
          <textarea
            rows={3}
            value={note}
            maxLength={noteLengthMax}
            onChange={({ target }) => setNote(target.value)}
          />
        </label>
        <FieldError error={make.error} />
        <DialogButtons
          action={make.isPending ? words.making : words.make}
          disabled={make.isPending}
          close={close}
        />
      </form>
    </Dialog>
  );
}
