import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { actionWords } from '../words/parts.ts';

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
    const before = document.activeElement;
    element.current?.showModal();
    // The browser itself would choose the button that closes the dialog.
    const first = firstFields
      .map((choice) => element.current?.querySelector<HTMLElement>(choice))
      .find(Boolean);
    first?.focus();
    // The browser gives it back to what had it only where a dialog is closed, and this one is removed.
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
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
          <button type="button" className="ghost close" aria-label={actionWords.close} onClick={close}>
            <X size={18} aria-hidden />
          </button>
        )}
      </div>
    </dialog>
  );
}
