import { Fingerprint, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAddPasskey, usePasskeys, useRemovePasskey } from '../../data/credentials.ts';
import { spelledOut } from '../../data/unseen.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { passkeyWords as words } from '../../words/me.ts';
import { actionWords, timeWords } from '../../words/parts.ts';
import { registerPasskey } from '../entry/sign-in-steps.ts';

/** Browsers bind passkeys to a name: there are none for an IP address. */
function findNameNeeded({ protocol, hostname, port }: Location): string | undefined {
  if (!/^[\d.]+$|^\[/.test(hostname)) return undefined;
  const isOwnMachine = hostname.startsWith('127.') || hostname === '[::1]';
  return isOwnMachine ? words.openLocalhost(`${protocol}//localhost:${port}/ui/me`) : words.openByName;
}

export function Passkeys() {
  const nameNeeded = findNameNeeded(location);
  const passkeys = usePasskeys();
  const add = useAddPasskey(registerPasskey);
  const remove = useRemovePasskey();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(name.trim(), { onSuccess: () => setName('') });
  };
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <p className="pale">{words.hint}</p>
      {nameNeeded !== undefined && <p className="banner">{nameNeeded}</p>}
      {passkeys.isPending && <Skeletons count={1} label={words.loading} />}
      {passkeys.isError && (
        <Failure error={passkeys.error} what={words.thePasskeys} retry={() => void passkeys.refetch()} />
      )}
      <ul className="credential-lines">
        {passkeys.data?.passkeys.map(({ id, name: label, created, used }) => (
          <li key={id}>
            <Fingerprint size={16} aria-hidden />
            <span>
              <Text of={label} />{' '}
              <small className="pale">
                {words.made(<Ago at={created} suffix={timeWords.ago} />)}
                {used !== null && words.used(<Ago at={used} suffix={timeWords.ago} />)}
              </small>
            </span>
            <button
              type="button"
              className="ghost"
              disabled={remove.isPending}
              aria-label={actionWords.removeOne(spelledOut(label))}
              onClick={() => remove.mutate(id)}
            >
              <Trash2 size={15} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <FieldError error={remove.error} />
      <form className="add-line" onSubmit={submit}>
        <label className="field">
          {words.device}
          <input
            required
            value={name}
            maxLength={60}
            placeholder={words.deviceHint}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <button
          type="submit"
          className="primary"
          disabled={add.isPending || name.trim() === '' || nameNeeded !== undefined}
        >
          {words.add}
        </button>
      </form>
      <FieldError error={add.error} />
    </section>
  );
}
