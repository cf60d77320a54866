import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../parts/text.tsx';
import { tagWords as words } from '../../words/tags.ts';
import { type Tag, useDeleteTag } from './tag-data.ts';

export function DeleteTag({ tag, close }: { tag: Tag; close: () => void }) {
  const remove = useDeleteTag();
  const confirm = () =>
    remove.mutate(tag.id, {
      onSuccess: ({ domains }) => {
        close();
        showToast({ text: words.deleted(domains) });
      },
    });
  return (
    <Dialog label={words.delete} close={close}>
      <h2>{words.deleteTitle(<Text of={tag.label} />)}</h2>
      <p>{words.deleteHint(tag.domains)}</p>
      <FieldError error={remove.error} />
      <DialogButtons action={words.delete} danger disabled={remove.isPending} run={confirm} close={close} />
    </Dialog>
  );
}
