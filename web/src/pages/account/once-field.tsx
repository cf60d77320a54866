import { Copy } from 'lucide-react';
import { accountWords as words } from '../../words/account.ts';
import { copyText } from '../triage/copy-name.ts';

interface OnceFieldProps {
  readonly label: string;
  readonly value: string;
  /** What is said when it was copied. */
  readonly copied: string;
  /** Where people most likely go on. */
  readonly primary?: boolean;
}

/** A secret, a link or a command to take along: selected as a whole, and copied with one click. */
export function OnceField({ label, value, copied, primary = false }: OnceFieldProps) {
  return (
    <div className="once-field">
      <label className="field">
        {label}
        <input readOnly value={value} spellCheck={false} onFocus={({ target }) => target.select()} />
      </label>
      <button
        type="button"
        className={primary ? 'primary' : undefined}
        onClick={() => void copyText(value, copied)}
      >
        <Copy size={15} aria-hidden /> {words.copy}
      </button>
    </div>
  );
}
