/** The two dialogs after which a key is dead. */
import { type FormEvent, useState } from 'react';
import { type Key, type MadeKey, useDeleteKey, useResetKey } from '../../../data/account/keys-and-usage.ts';
import { plain } from '../../../data/foreign.ts';
import { showToast } from '../../../data/toasts.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { DialogButtons } from '../../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../../parts/text.tsx';
import { Ago } from '../../../parts/time.tsx';
import { keyDeleteWords, keyResetWords } from '../../../words/account.ts';
import { timeWords } from '../../../words/parts.ts';

function LastUse({ of: { last_used: used } }: { of: Key }) {
  return (
    <p>
      {used === null
        ? keyResetWords.neverUsed
        : keyResetWords.lastUsed(<Ago at={used.at} suffix={timeWords.ago} />, <Text of={used.address} />)}
    </p>
  );
}

interface ResetKeyProps {
  readonly of: Key;
  readonly close: () => void;
  readonly made: (key: MadeKey) => void;
}

export function ResetKey({ of, close, made }: ResetKeyProps) {
  const reset = useResetKey(plain(of.username));
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate(typed, { onSuccess: made });
  };
  return (
    <Dialog label={keyResetWords.label} close={close}>
      <h2>{keyResetWords.title(<Text of={of.username} />)}</h2>
      <p className="warning">{keyResetWords.dead}</p>
      <LastUse of={of} />
      <form onSubmit={submit}>
        <label className="field">
          <span>{keyResetWords.type(<Text of={of.username} className="mono" />)}</span>
          <input
            data-first
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <FieldError error={reset.error} />
        <DialogButtons
          action={keyResetWords.reset}
          danger
          disabled={reset.isPending || typed !== plain(of.username)}
          close={close}
        />
      </form>
    </Dialog>
  );
}

export function DeleteKey({ of, close }: { of: Key; close: () => void }) {
  const remove = useDeleteKey(plain(of.username));
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        close();
        showToast({ text: keyDeleteWords.deleted });
      },
    });
  return (
    <Dialog label={keyDeleteWords.label} close={close}>
      <h2>{keyDeleteWords.title(<Text of={of.username} />)}</h2>
      <p className="warning">{keyDeleteWords.hint}</p>
      <LastUse of={of} />
      <FieldError error={remove.error} />
      <DialogButtons
        action={keyDeleteWords.delete}
        danger
        disabled={remove.isPending}
        run={confirm}
        close={close}
      />
    </Dialog>
  );
}
