import { type FormEvent, useState } from 'react';
import { type KeyList, type MadeKey, useCreateKey } from '../../../data/account/keys-and-usage.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { DialogButtons } from '../../../parts/forms/dialog-buttons.tsx';
import { keyFormWords as words } from '../../../words/account.ts';
import { ExpiryFields } from './expiry-fields.tsx';
import { GrantFields } from './grant-fields.tsx';
import { bodyOf } from './key-body.ts';
import { type Expiry, expiryTime, findPreset, type KeyGrants, presetNames } from './key-presets.ts';

interface NewKeyProps {
  readonly list: KeyList;
  readonly close: () => void;
  readonly made: (key: MadeKey) => void;
}

export function NewKey({ list, close, made }: NewKeyProps) {
  const create = useCreateKey();
  const [username, setUsername] = useState('');
  const [grants, setGrants] = useState(() => findPreset('siem', list.grantable) as KeyGrants);
  const [expiry, setExpiry] = useState<Expiry>({ choice: '90', date: '' });
  const [addresses, setAddresses] = useState('');
  const presets = presetNames.flatMap((name) => {
    const preset = findPreset(name, list.grantable);
    return preset ? [{ name, preset }] : [];
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires = expiryTime(expiry, Date.now());
    const body = bodyOf(grants, addresses, list);
    if (expires === undefined || body === undefined) return;
    create.mutate({ ...body, username: username.trim(), expires }, { onSuccess: made });
  };
  return (
    <Dialog label={words.newTitle} close={close} className="key-dialog">
      <h2>{words.newTitle}</h2>
      <form onSubmit={submit}>
        <label className="field">
          {words.name}
          <input
            data-first
            required
            maxLength={64}
            pattern="[A-Za-z0-9][A-Za-z0-9._@\-]*"
            value={username}
            placeholder={words.namePlaceholder}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setUsername(target.value)}
          />
          <small>{words.nameHint}</small>
        </label>
        <fieldset className="choices presets">
          <legend>{words.preset}</legend>
          {presets.map(({ name, preset }) => (
            <label key={name} className="choice">
              <input
                type="radio"
                name="preset"
                checked={JSON.stringify(preset) === JSON.stringify(grants)}
                onChange={() => setGrants(preset)}
              />
              <span>
                <b>{words.presets[name]}</b> <small className="pale">{words.presetHints[name]}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <ExpiryFields expiry={expiry} set={setExpiry} />
        <details>
          <summary>{words.more}</summary>
          <GrantFields
            list={list}
            grants={grants}
            addresses={addresses}
            set={setGrants}
            setAddresses={setAddresses}
          />
        </details>
        <FieldError error={create.error} />
        <DialogButtons
          action={create.isPending ? words.creating : words.create}
          disabled={create.isPending}
          close={close}
        />
      </form>
    </Dialog>
  );
}
