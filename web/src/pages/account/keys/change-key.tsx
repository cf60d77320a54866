import { type FormEvent, useState } from 'react';
import {
  type Key,
  type KeyChangeBody,
  type KeyList,
  type MadeKey,
  useChangeKey,
} from '../../../data/account/keys-and-usage.ts';
import { plain } from '../../../data/foreign.ts';
import { showToast } from '../../../data/toasts.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { DialogButtons } from '../../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../../parts/text.tsx';
import { keyWords, keyFormWords as words } from '../../../words/account.ts';
import { actionWords } from '../../../words/parts.ts';
import { ExpiryFields } from './expiry-fields.tsx';
import { GrantFields } from './grant-fields.tsx';
import { bodyOf, grantsOf } from './key-body.ts';
import { dayOf, type Expiry, expiryTime } from './key-presets.ts';

interface ChangeKeyProps {
  readonly of: Key;
  readonly list: KeyList;
  readonly close: () => void;
  /** A batch key that was added is shown once. */
  readonly made: (key: MadeKey) => void;
}

export function ChangeKey({ of, list, close, made }: ChangeKeyProps) {
  const change = useChangeKey(plain(of.username));
  const before: Expiry =
    of.expires === null ? { choice: 'never', date: '' } : { choice: 'date', date: dayOf(plain(of.expires)) };
  const [grants, setGrants] = useState(() => grantsOf(of));
  const [expiry, setExpiry] = useState(before);
  const [addresses, setAddresses] = useState(of.addresses.map(plain).join('\n'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf(grants, addresses, list);
    // A date has no time of day: one that nobody touched must not move.
    const isSame = expiry.choice === before.choice && expiry.date === before.date;
    const expires = isSame ? undefined : expiryTime(expiry, Date.now());
    if (body === undefined || (!isSame && expires === undefined)) return;
    const changed: KeyChangeBody = { ...body, ...(expires === undefined ? {} : { expires }) };
    change.mutate(changed, {
      onSuccess: (key) => {
        showToast({ text: words.saved });
        if (key.batch_key === undefined) close();
        else made(key);
      },
    });
  };
  return (
    <Dialog label={keyWords.change} close={close} className="key-dialog">
      <h2>{words.changeTitle(<Text of={of.username} />)}</h2>
      <form onSubmit={submit}>
        <ExpiryFields expiry={expiry} set={setExpiry} />
        <GrantFields
          list={list}
          grants={grants}
          addresses={addresses}
          set={setGrants}
          setAddresses={setAddresses}
        />
        <FieldError error={change.error} />
        <DialogButtons action={actionWords.save} disabled={change.isPending} close={close} />
      </form>
    </Dialog>
  );
}
