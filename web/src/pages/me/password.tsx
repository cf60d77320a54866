import { type FormEvent, useState } from 'react';
import { useRemovePassword, useSetPassword } from '../../data/credentials.ts';
import { showToast } from '../../data/toasts.ts';
import { FieldError } from '../../parts/field-error.tsx';

export function Password({ isSet }: { isSet: boolean }) {
  const set = useSetPassword();
  const remove = useRemovePassword();
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(password, {
      onSuccess: () => {
        setPassword('');
        showToast({ text: 'The password is set; other sessions have ended' });
      },
    });
  };
  return (
    <section className="panel">
      <h2>Password</h2>
      <p className="pale">{isSet ? 'A password is set.' : 'No password is set.'}</p>
      <form className="add-line" onSubmit={submit}>
        <label className="field">
          {isSet ? 'New password' : 'Password'}
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
          {isSet ? 'Change it' : 'Set it'}
        </button>
        {isSet && (
          <button
            type="button"
            className="danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            Remove it
          </button>
        )}
      </form>
      <FieldError error={set.error ?? remove.error} />
    </section>
  );
}
