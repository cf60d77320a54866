import { type FormEvent, useState } from 'react';
import { type KeyTest, useTestKey } from '../../../data/account/keys-and-usage.ts';
import { type Foreign, foreign, plain } from '../../../data/foreign.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { Text } from '../../../parts/text.tsx';
import { keyTestWords as words } from '../../../words/account.ts';

/** What the server answered to the key. */
export function TestedKey({ of: { status, body, milliseconds } }: { of: KeyTest }) {
  const isRight = status === 200;
  return (
    <div role="status" className={isRight ? 'tested right' : 'tested wrong'}>
      <p>{isRight ? words.right(milliseconds) : words.wrong(status)}</p>
      {/* It may be longer than its box, which the keyboard must reach. */}
      <pre role="region" aria-label={words.answer} tabIndex={0}>
        <Text of={indented(body)} lines />
      </pre>
    </div>
  );
}

function indented(body: Foreign): Foreign {
  try {
    return foreign(JSON.stringify(JSON.parse(plain(body)), null, 2));
  } catch {
    return body;
  }
}

export function TestKey({ close }: { close: () => void }) {
  const test = useTestKey();
  const [key, setKey] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    test.mutate(key.trim());
  };
  return (
    <Dialog label={words.title} close={close} className="key-dialog">
      <h2>{words.title}</h2>
      <p className="pale">{words.hint}</p>
      <form onSubmit={submit}>
        <label className="field">
          {words.key}
          <input
            data-first
            required
            maxLength={256}
            type="password"
            value={key}
            autoComplete="off"
            onChange={({ target }) => setKey(target.value)}
          />
        </label>
        <FieldError error={test.error} />
        {test.data && <TestedKey of={test.data} />}
        <div className="buttons">
          <button type="submit" className="primary" disabled={test.isPending}>
            {words.run}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
