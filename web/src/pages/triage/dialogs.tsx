/** What Triage asks: whether everything that matches is meant, and what is to be done besides deciding. */
import { lazy, Suspense, useState } from 'react';
import type { DecisionTarget } from '../../../../src/http/web/detect/domain-wire.ts';
import type { Domain } from '../../data/detect.ts';
import { plain } from '../../data/foreign.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { anchorBelow } from '../../parts/menu.tsx';
import { decisionWords, confirmWords as words } from '../../words/triage.ts';
import { Assign } from './assign.tsx';
import type { TriageState } from './use-triage.ts';

const TagDialog = lazy(async () => ({ default: (await import('../tags/tag-dialog.tsx')).TagDialog }));
const AddToInvestigation = lazy(async () => ({
  default: (await import('../investigations/add-dialog.tsx')).AddToInvestigation,
}));
const PackDialog = lazy(async () => ({ default: (await import('../evidence/pack-dialog.tsx')).PackDialog }));
const MakeCampaign = lazy(async () => ({
  default: (await import('../campaigns/make-campaign.tsx')).MakeCampaign,
}));
const ValueOperations = lazy(async () => ({
  default: (await import('../../parts/value-operations.tsx')).ValueOperations,
}));

/** Above this the number must be typed. */
const typedAbove = 100;

interface ConfirmProps {
  readonly to: DecisionTarget;
  readonly count: number;
  readonly confirm: () => void;
  readonly cancel: () => void;
}

export function ConfirmAll({ to, count, confirm, cancel }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const isSure = count <= typedAbove || typed.replaceAll(/\D/g, '') === String(count);
  const verb = decisionWords.verbs[to];
  return (
    <Dialog label={words.label(verb)} close={cancel}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure) confirm();
        }}
      >
        <h2>{words.question(verb, count)}</h2>
        <p>{words.explanation}</p>
        {count > typedAbove && (
          <label className="field">
            {words.type(count)}
            <input
              value={typed}
              inputMode="numeric"
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
        )}
        <DialogButtons action={words.confirm(verb, count)} disabled={!isSure} close={cancel} />
      </form>
    </Dialog>
  );
}

export type TriageDialog = 'assign' | 'campaign' | 'tag' | 'save' | 'pack' | 'operations';

interface OpenDialogProps {
  readonly dialog: TriageDialog;
  readonly current: Domain;
  readonly triage: Pick<TriageState, 'rows' | 'selection'>;
  readonly close: () => void;
}

export function OpenDialog({ dialog, current, triage, close }: OpenDialogProps) {
  if (dialog === 'assign') return <Assign domain={current} close={close} />;
  const names = chosenNames(current, triage);
  const [only = ''] = names;
  return (
    <Suspense>
      {dialog === 'tag' && <TagDialog domains={names} close={close} />}
      {dialog === 'save' && (
        <AddToInvestigation
          add={
            names.length === 1
              ? { item: { kind: 'domain', value: only } }
              : { query: { parameters: { domain: [...names] } } }
          }
          close={close}
        />
      )}
      {dialog === 'pack' && <PackDialog domains={names} close={close} />}
      {dialog === 'campaign' && <MakeCampaign domains={names} close={close} />}
      {dialog === 'operations' && (
        <ValueOperations
          values={[{ field: 'domain', value: current.punycode }]}
          anchor={anchorBelow(document.querySelector('.row.at, .tile.at') ?? document.body)}
          close={close}
        />
      )}
    </Suspense>
  );
}

/** What is selected, as far as it is loaded, or the current domain. */
function chosenNames(current: Domain, { rows, selection }: OpenDialogProps['triage']): readonly string[] {
  const chosen = rows.filter(({ id }) => selection.all || selection.ids.has(id));
  return (chosen.length === 0 ? [current] : chosen).map(({ punycode }) => plain(punycode));
}
