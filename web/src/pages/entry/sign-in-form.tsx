import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { foreign } from '../../data/foreign.ts';
import { ServerError } from '../../data/request.ts';
import { Text } from '../../parts/text.tsx';
import { entryWords as words } from '../../words/entry.ts';
import { signInWithCode, signInWithPasskey, signInWithPassword } from './sign-in-steps.ts';

interface SignInFormProps {
  readonly name?: string;
  readonly done: () => void;
}

/** By password, with a code of an authenticator app where one is set up, or by passkey. */
export function SignInForm({ name = '', done }: SignInFormProps) {
  const [username, setUsername] = useState(name);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  /** Left after the password, where a code is needed besides. */
  const [step, setStep] = useState<string>();
  const byPassword = useMutation({
    mutationFn: () => signInWithPassword(username, password),
    onSuccess: (left) => (left === undefined ? done() : setStep(left)),
  });
  const byCode = useMutation({ mutationFn: () => signInWithCode(step ?? '', code), onSuccess: done });
  const byPasskey = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: done });
  const error = byCode.error ?? byPasskey.error ?? byPassword.error;
  const busy = byPassword.isPending || byCode.isPending || byPasskey.isPending;
  return (
    <form
      className="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        byPasskey.reset();
        if (step !== undefined) byCode.mutate();
        else byPassword.mutate();
      }}
    >
      {step !== undefined ? (
        <label className="field">
          {words.code}
          <input
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete="one-time-code"
            autoFocus
            required
          />
        </label>
      ) : (
        <>
          <label className="field">
            {words.name}
            <input
              value={username}
              onChange={({ target }) => setUsername(target.value)}
              autoComplete="username webauthn"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={name === ''}
              required
            />
          </label>
          <label className="field">
            {words.password}
            <input
              type="password"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
              autoComplete="current-password"
              autoFocus={name !== ''}
              {...(name === '' ? {} : { 'data-first': '' })}
              required
            />
          </label>
        </>
      )}
      {error && (
        <p role="alert" className="bad-text">
          <Text of={error instanceof ServerError ? error.sentence : foreign(error.message)} />
        </p>
      )}
      <div className="buttons">
        <button type="button" disabled={busy} onClick={() => byPasskey.mutate()}>
          <KeyRound size={15} aria-hidden /> {words.passkey}
        </button>
        <button type="submit" className="primary" disabled={busy}>
          {step !== undefined ? words.continue : words.signIn}
        </button>
      </div>
    </form>
  );
}
