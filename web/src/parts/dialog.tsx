import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

interface DialogProps {
  readonly label: string;
  readonly close: () => void;
  readonly children: ReactNode;
  readonly className?: string;
  /** Only what is in it ends it. */
  readonly stays?: boolean;
}

/** Where people begin, the most likely first. */
const firstFields = ['[data-first]', 'input:not([type=checkbox])', 'textarea', 'select', '.primary'];

/** A modal dialog of the browser's own: it keeps the focus, closes with Escape, and gives the focus back. */
export function Dialog({ label, close, children, className = '', stays = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
    // The browser itself would choose the button that closes the dialog.
    const first = firstFields
      .map((choice) => element.current?.querySelector<HTMLElement>(choice))
      .find(Boolean);
    first?.focus();
  }, []);
  return (
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        if (!stays) close();
      }}
      onClick={(event) => {
        if (event.target === element.current && !stays) close();
      }}
    >
      <div className="dialog-body">
        {children}
        {/* Last, so that the focus begins at what the dialog is for. */}
        {!stays && (
          <button type="button" className="ghost close" aria-label="Close" onClick={close}>
            <X size={18} aria-hidden />
          </button>
        )}
      </div>
    </dialog>
  );
}
