import { removeIt } from '../../words/me.ts';

interface RemoveButtonProps {
  readonly remove: { readonly isPending: boolean; readonly mutate: (given: undefined) => void };
}

/** Takes away a way to sign in. */
export function RemoveButton({ remove }: RemoveButtonProps) {
  return (
    <button
      type="button"
      className="danger"
      disabled={remove.isPending}
      onClick={() => remove.mutate(undefined)}
    >
      {removeIt}
    </button>
  );
}
