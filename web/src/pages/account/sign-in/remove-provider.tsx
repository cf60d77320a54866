import { type Provider, useRemoveProvider } from '../../../data/account/sign-on.ts';
import { showToast } from '../../../data/toasts.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { DialogButtons } from '../../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../../parts/text.tsx';
import { providerWords as words } from '../../../words/identity-providers.ts';

export function RemoveProvider({ of, close }: { of: Provider; close: () => void }) {
  const remove = useRemoveProvider(of.id);
  const done = () => {
    showToast({ text: words.removed });
    close();
  };
  return (
    <Dialog label={words.remove} close={close}>
      <h2>{words.removeTitle(<Text of={of.name} />)}</h2>
      <p>{words.removeHint}</p>
      <FieldError error={remove.error} />
      <DialogButtons
        action={words.remove}
        danger
        disabled={remove.isPending}
        run={() => remove.mutate(undefined, { onSuccess: done })}
        close={close}
      />
    </Dialog>
  );
}
