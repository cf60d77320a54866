import type { ReactNode } from 'react';
import { Dialog } from '../dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

interface ConfirmProps {
  readonly label: string;
  readonly question: ReactNode;
  /** What happens then, and what else can be chosen. */
  readonly children?: ReactNode;
  /** What the button says. */
  readonly action: string;
  readonly run: () => void;
  readonly pending: boolean;
  readonly close: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ label, question, children, action, run, pending, close }: ConfirmProps) {
  return (
    <Dialog label={label} close={close}>
      <h2>{question}</h2>
      {children}
      <DialogButtons action={action} danger disabled={pending} run={run} close={close} />
    </Dialog>
  );
}
