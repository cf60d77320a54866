/** Asks for the name and the domains of a campaign that a person puts together. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useMakeCampaign } from '../../data/campaign/campaigns.ts';
import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../parts/text.tsx';
import { makeCampaignWords as words } from '../../words/campaigns/campaign-words.ts';

interface MakeCampaignProps {
  /** What was selected before. */
  readonly domains?: readonly string[];
  readonly close: () => void;
}

/** Names as people paste them: one on each line, or with commas between. */
export const namesIn = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((name) => name !== '')),
];

export function MakeCampaign({ domains = [], close }: MakeCampaignProps) {
  const [name, setName] = useState('');
  const [names, setNames] = useState(domains.join('\n'));
  const make = useMakeCampaign();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(
      { name: name.trim(), domains: [...namesIn(names)] },
      {
        onSuccess: (made) => {
          close();
          showToast({
            text: (
              <>
                {words.made(<Text of={made.name} />)}{' '}
                <Link to="/campaigns/$id" params={{ id: made.id }} search={{}}>
                  {words.open}
                </Link>
              </>
            ),
          });
        },
      },
    );
  };
  return (
    <Dialog label={words.title} close={close}>
      <form onSubmit={submit}>
        <h2>{words.title}</h2>
        <label className="field">
          {words.name}
          <input
            required
            maxLength={200}
            value={name}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <label className="field">
          {words.domains}
          <textarea
            required
            rows={6}
            className="mono"
            value={names}
            spellCheck={false}
            autoCapitalize="off"
            onChange={({ target }) => setNames(target.value)}
          />
          <small className="pale">{words.domainsHint}</small>
        </label>
        <FieldError error={make.error ?? undefined} />
        <DialogButtons
          action={words.create}
          disabled={make.isPending || name.trim() === '' || namesIn(names).length === 0}
          close={close}
        />
      </form>
    </Dialog>
  );
}
