import { Ban, Eye, EyeOff, FileCheck2, type LucideIcon, Send, Undo2 } from 'lucide-react';
import type { DecisionTarget } from '../../../../src/http/web/detect/domain-wire.ts';
import { Text } from '../../parts/text.tsx';
import { actionWords } from '../../words/parts.ts';
import { decisionWords, toolbarWords as words } from '../../words/triage.ts';
import { defanged } from './decision-messages.tsx';
import type { useDecisions } from './use-decisions.ts';
import type { TriageState } from './use-triage.ts';

interface ToolbarProps {
  readonly triage: TriageState;
  readonly decisions: ReturnType<typeof useDecisions>;
  readonly makePack: () => void;
  readonly cannotTriage: string | undefined;
  readonly cannotEscalate: string | undefined;
}

interface DecisionButton {
  readonly to: DecisionTarget;
  readonly key: string;
  readonly icon: LucideIcon;
  readonly className?: string;
  readonly hint?: string;
}

const triageButtons: readonly DecisionButton[] = [
  { to: 'watched', key: 'w', icon: Eye },
  { to: 'ignored', key: 'i', icon: EyeOff },
];
const escalationButtons: readonly DecisionButton[] = [
  { to: 'blocked', key: 'b', icon: Ban, className: 'danger' },
  { to: 'external_safe', key: 'e', icon: Send, className: 'optional', hint: words.submitHint },
];

/** The same actions as the keys. */
export function Toolbar({ triage, decisions, makePack, cannotTriage, cannotEscalate }: ToolbarProps) {
  const { selection, current, first, clearSelection, list } = triage;
  const count = selection.all ? (first?.total ?? 0) : selection.ids.size;
  const isIdle = count === 0 && current === undefined;
  const button = (missing: string | undefined) => (of: DecisionButton) =>
    of.to === list ? null : (
      <button
        key={of.to}
        type="button"
        className={of.className}
        disabled={isIdle || missing !== undefined}
        title={missing ?? of.hint}
        onClick={() => decisions.choose(of.to)}
      >
        <of.icon size={15} aria-hidden /> {decisionWords.verbs[of.to]} <kbd>{of.key}</kbd>
      </button>
    );
  return (
    <div className={count > 0 ? 'actions many' : 'actions'} role="toolbar" aria-label={words.label}>
      <span className="subject">
        {count > 0 ? words.selected(count, selection.all) : current && <Text of={defanged(current)} />}
      </span>
      {count > 0 && (
        <button type="button" className="ghost" onClick={clearSelection}>
          {words.clear} <kbd>{words.clearKey}</kbd>
        </button>
      )}
      <button
        type="button"
        className="ghost optional"
        disabled={cannotTriage !== undefined}
        title={cannotTriage}
        onClick={() => void decisions.undo()}
      >
        <Undo2 size={15} aria-hidden /> {actionWords.undo} <kbd>u</kbd>
      </button>
      <button
        type="button"
        className="optional"
        disabled={isIdle || cannotTriage !== undefined}
        title={cannotTriage ?? words.packHint}
        onClick={makePack}
      >
        <FileCheck2 size={15} aria-hidden /> {words.pack} <kbd>{words.packKey}</kbd>
      </button>
      {triageButtons.map(button(cannotTriage))}
      {escalationButtons.map(button(cannotEscalate))}
    </div>
  );
}
