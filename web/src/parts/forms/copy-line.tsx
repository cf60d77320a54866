import { Copy } from 'lucide-react';
import { type Foreign, plain } from '../../data/foreign.ts';
import { copyText } from '../../pages/triage/copy-name.ts';
import { actionWords } from '../../words/parts.ts';

interface CopyLineProps {
  readonly value: Foreign;
  readonly label: string;
  /** What is said when it has been copied. */
  readonly said: string;
}

/** A text to take elsewhere, such as a link or a secret: selected when it is entered, copied by the button. */
export function CopyLine({ value, label, said }: CopyLineProps) {
  return (
    <div className="link-line">
      <input
        readOnly
        value={plain(value)}
        aria-label={label}
        spellCheck={false}
        onFocus={({ target }) => target.select()}
      />
      <button type="button" onClick={() => void copyText(plain(value), said)}>
        <Copy size={15} aria-hidden /> {actionWords.copy}
      </button>
    </div>
  );
}
