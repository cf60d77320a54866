import { Fingerprint, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAddPasskey, usePasskeys, useRemovePasskey } from '../../data/credentials.ts';
import { spelledOut } from '../../data/unseen.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { registerPasskey } from '../entry/sign-in-steps.ts';

/** Browsers bind passkeys to a name: there are none for an IP address. */
function findNameNeeded({ protocol, hostname, port }: Location): string | undefined {
  if (!/^[\d.]+$|^\[/.test(hostname)) return undefined;
  const isOwnMachine = hostname.startsWith('127.') || hostname === '[::1]';
  return isOwnMachine
    ? `Passkeys belong to a name, not to an address: open ${protocol}//localhost:${port}/ui/me to add one.`
    : 'Passkeys belong to a name, not to an address: open this page under the name of the server (http.publicUrl).';
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
      <h2>Passkeys</h2>
      <p className="pale">Nothing to remember, and nothing that a lookalike of this page could ask for.</p>
      {nameNeeded !== undefined && <p className="banner">{nameNeeded}</p>}
      {passkeys.isPending && <Skeletons count={1} label="passkeys" />}
      {passkeys.isError && (
        <Failure error={passkeys.error} what="The passkeys" retry={() => void passkeys.refetch()} />
      )}
      <ul className="credential-lines">
        {passkeys.data?.passkeys.map(({ id, name: label, created, used }) => (
          <li key={id}>
            <Fingerprint size={16} aria-hidden />
            <span>
              <Text of={label} />{' '}
              <small className="pale">
                made <Ago at={created} suffix=" ago" />
                {used !== null && (
                  <>
                    , used <Ago at={used} suffix=" ago" />
                  </>
                )}
              </small>
            </span>
            <button
              type="button"
              className="ghost"
              disabled={remove.isPending}
              aria-label={`Remove ${spelledOut(label)}`}
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
          Name of the device
          <input
            required
            value={name}
            maxLength={60}
            placeholder="my laptop"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <button
          type="submit"
          className="primary"
          disabled={add.isPending || name.trim() === '' || nameNeeded !== undefined}
        >
          Add a passkey
        </button>
      </form>
      <FieldError error={add.error} />
    </section>
  );
}
