/** The name of a campaign, which is changed where it stands. */
import { Pencil } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { type Campaign, useChangeCampaign } from '../../data/campaign/campaigns.ts';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Text } from '../../parts/text.tsx';
import { campaignWords as words } from '../../words/campaigns/campaign-words.ts';
import { actionWords } from '../../words/parts.ts';

export function CampaignName({ campaign: { id, name } }: { campaign: Campaign }) {
  const missing = useMissing('triage');
  const change = useChangeCampaign(id);
  const [typed, setTyped] = useState<string>();
  const pencil = useRef<HTMLButtonElement>(null);
  const end = () => {
    setTyped(undefined);
    change.reset();
    // The button is there again only after this.
    requestAnimationFrame(() => pencil.current?.focus());
  };
  if (typed === undefined)
    return (
      <div className="campaign-name">
        <h1>
          <Text of={name} />
        </h1>
        <button
          ref={pencil}
          type="button"
          className="ghost"
          disabled={missing !== undefined}
          title={missing ?? words.rename}
          aria-label={words.rename}
          onClick={() => setTyped(plain(name))}
        >
          <Pencil size={15} aria-hidden />
        </button>
      </div>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = typed.trim();
    if (next === plain(name)) return end();
    change.mutate(
      { name: next },
      {
        onSuccess: () => {
          showToast({ text: words.renamed });
          end();
        },
      },
    );
  };
  return (
    <form className="campaign-name" onSubmit={submit}>
      <input
        autoFocus
        required
        maxLength={200}
        aria-label={words.nameField}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') end();
        }}
      />
      <button type="submit" className="primary" disabled={change.isPending || typed.trim() === ''}>
        {actionWords.save}
      </button>
      <button type="button" onClick={end}>
        {actionWords.cancel}
      </button>
      <FieldError error={change.error ?? undefined} />
    </form>
  );
}
