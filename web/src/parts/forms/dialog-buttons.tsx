import { actionWords } from '../../words/parts.ts';

interface DialogButtonsProps {
  /** What the button says that does it. */
  readonly action: string;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  /** Without it the form is sent. */
  readonly run?: () => void;
  readonly close: () => void;
}

/** The end of a dialog: not to do it, or to do it. */
export function DialogButtons({ action, disabled = false, danger = false, run, close }: DialogButtonsProps) {
  return (
    <div className="buttons">
      <button type="button" onClick={close}>
        {actionWords.cancel}
      </button>
      <button
        type={run ? 'button' : 'submit'}
        className={danger ? 'danger' : 'primary'}
        disabled={disabled}
        onClick={run}
      >
        {action}
      </button>
    </div>
  );
}
