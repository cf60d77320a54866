import { Copy } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useBeginTotp, useConfirmTotp, useRemoveTotp } from '../../data/credentials.ts';
import { foreign, plain } from '../../data/foreign.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Text } from '../../parts/text.tsx';
import { copyText } from '../triage/copy-name.ts';

interface AuthenticatorProps {
  readonly isSet: boolean;
  readonly hasPassword: boolean;
  readonly recoveryCodes: number;
}

/** A second factor beside the password: codes of an app, and codes for the day on which the app is lost. */
export function Authenticator({ isSet, hasPassword, recoveryCodes }: AuthenticatorProps) {
  const begin = useBeginTotp();
  const confirm = useConfirmTotp();
  const remove = useRemoveTotp();
  const [code, setCode] = useState('');
  const grouped = begin.data && foreign(plain(begin.data.secret).replaceAll(/(.{4})(?=.)/g, '$1 '));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code, {
      onSuccess: () => {
        setCode('');
        begin.reset();
      },
    });
  };
  return (
    <section className="panel">
      <h2>Authenticator app</h2>
      <p className="pale">
        {isSet
          ? `Its code is asked for after the password. ${recoveryCodes} recovery codes are left.`
          : 'A code is asked for after the password.'}
      </p>
      {confirm.data && (
        <div className="banner">
          <p>Recovery codes, shown this once. Each works once, when the app is lost:</p>
          <ul className="recovery-codes mono">
            {confirm.data.recovery_codes.map((one) => (
              <li key={plain(one)}>
                <Text of={one} />
              </li>
            ))}
          </ul>
          <button
            type="button"
            onClick={() =>
              void copyText(confirm.data.recovery_codes.map(plain).join('\n'), 'Recovery codes copied')
            }
          >
            <Copy size={15} aria-hidden /> Copy
          </button>
        </div>
      )}
      {begin.data && !confirm.isSuccess ? (
        <form className="totp-form" onSubmit={submit}>
          <p>
            Add this key to the app, <a href={plain(begin.data.uri)}>or open it there</a>:
          </p>
          <p className="mono secret">{grouped && <Text of={grouped} />}</p>
          <label className="field">
            The code that it shows
            <input
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={({ target }) => setCode(target.value)}
            />
          </label>
          <div className="buttons start">
            <button type="submit" className="primary" disabled={confirm.isPending || code.trim() === ''}>
              Confirm
            </button>
            <button type="button" onClick={() => begin.reset()}>
              Cancel
            </button>
          </div>
        </form>
      ) : (
        <div className="buttons start">
          <button
            type="button"
            disabled={!hasPassword || begin.isPending}
            title={hasPassword ? undefined : 'Set a password first'}
            onClick={() => {
              confirm.reset();
              begin.mutate();
            }}
          >
            {isSet ? 'Set up another app' : 'Set up an app'}
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
        </div>
      )}
      <FieldError error={begin.error ?? confirm.error ?? remove.error} />
    </section>
  );
}
