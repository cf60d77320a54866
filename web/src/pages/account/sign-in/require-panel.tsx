import { useRequireSignOn } from '../../../data/account/sign-on.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { DialogButtons } from '../../../parts/forms/dialog-buttons.tsx';
import { requireWords as words } from '../../../words/identity-providers.ts';

interface RequirePanelProps {
  readonly required: boolean;
  /** A provider is enabled. */
  readonly canRequire: boolean;
  readonly isAsking: boolean;
  readonly ask: () => void;
  readonly close: () => void;
}

export function RequirePanel({ required, canRequire, isAsking, ask, close }: RequirePanelProps) {
  const change = useRequireSignOn();
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <p>{required ? words.on : words.off}</p>
      <p className="pale">{words.hint}</p>
      <div className="buttons start">
        {required ? (
          <button type="button" disabled={change.isPending} onClick={() => change.mutate(false)}>
            {words.end}
          </button>
        ) : (
          <button
            type="button"
            disabled={!canRequire}
            title={canRequire ? undefined : words.needsEnabled}
            onClick={ask}
          >
            {words.require}
          </button>
        )}
      </div>
      {!isAsking && <FieldError error={change.error} />}
      {isAsking && !required && (
        <Dialog label={words.confirm} close={close}>
          <h2>{words.confirm}</h2>
          <p>{words.confirmHint}</p>
          <p className="pale">{words.hint}</p>
          <FieldError error={change.error} />
          <DialogButtons
            action={words.require}
            danger
            disabled={change.isPending}
            run={() => change.mutate(true, { onSuccess: close })}
            close={close}
          />
        </Dialog>
      )}
    </section>
  );
}
