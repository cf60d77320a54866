import { Copy } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useBeginTotp, useConfirmTotp, useRemoveTotp } from '../../data/credentials.ts';
import { foreign, plain } from '../../data/foreign.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Text } from '../../parts/text.tsx';
import { authenticatorWords as words } from '../../words/me.ts';
import { actionWords } from '../../words/parts.ts';
import { copyText } from '../triage/copy-name.ts';
import { QrCode } from './qr-code.tsx';
import { RemoveButton } from './remove-button.tsx';

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
      <h2>{words.title}</h2>
      <p className="pale">{isSet ? words.isSet(recoveryCodes) : words.isNotSet}</p>
      {confirm.data && (
        <div className="banner">
          <p>{words.recovery}</p>
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
              void copyText(confirm.data.recovery_codes.map(plain).join('\n'), words.recoveryCopied)
            }
          >
            <Copy size={15} aria-hidden /> {actionWords.copy}
          </button>
        </div>
      )}
      {begin.data && !confirm.isSuccess ? (
        <form className="totp-form" onSubmit={submit}>
          <p>{words.scan}</p>
          <QrCode text={plain(begin.data.uri)} label={words.picture} />
          <p>{words.orType(<a href={plain(begin.data.uri)}>{words.openThere}</a>)}</p>
          <p className="mono secret">{grouped && <Text of={grouped} />}</p>
          <label className="field">
            {words.code}
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
              {words.confirm}
            </button>
            <button type="button" onClick={() => begin.reset()}>
              {actionWords.cancel}
            </button>
          </div>
        </form>
      ) : (
        <div className="buttons start">
          <button
            type="button"
            disabled={!hasPassword || begin.isPending}
            title={hasPassword ? undefined : words.passwordFirst}
            onClick={() => {
              confirm.reset();
              begin.mutate();
            }}
          >
            {isSet ? words.setUpAnother : words.setUp}
          </button>
          {isSet && <RemoveButton remove={remove} />}
        </div>
      )}
      <FieldError error={begin.error ?? confirm.error ?? remove.error} />
    </section>
  );
}
