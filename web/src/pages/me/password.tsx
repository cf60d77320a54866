import { type FormEvent, useState } from 'react';
import { useRemovePassword, useSetPassword } from '../../data/credentials.ts';
import { showToast } from '../../data/toasts.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { passwordWords as words } from '../../words/me.ts';
import { RemoveButton } from './remove-button.tsx';

export function Password({ isSet }: { isSet: boolean }) {
  const set = useSetPassword();
  const remove = useRemovePassword();
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(password, {
      onSuccess: () => {
        setPassword('');
        showToast({ text: words.done });
      },
    });
  };
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <p className="pale">{isSet ? words.isSet : words.isNotSet}</p>
      <form className="add-line" onSubmit={submit}>
        <label className="field">
          {isSet ? words.newOne : words.title}
          <input
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </label>
        <button type="submit" disabled={set.isPending || password.length < 12}>
          {isSet ? words.change : words.set}
        </button>
        {isSet && <RemoveButton remove={remove} />}
      </form>
      <FieldError error={set.error ?? remove.error} />
    </section>
  );
}
