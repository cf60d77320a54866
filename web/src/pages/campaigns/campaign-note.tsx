/** What people wrote about a campaign. */
import { NotebookPen } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type Campaign, useChangeCampaign } from '../../data/campaign/campaigns.ts';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Text } from '../../parts/text.tsx';
import { campaignWords as words } from '../../words/campaigns/campaign-words.ts';
import { actionWords } from '../../words/parts.ts';

export function CampaignNote({ campaign: { id, note } }: { campaign: Campaign }) {
  const missing = useMissing('triage');
  const change = useChangeCampaign(id);
  const [typed, setTyped] = useState<string>();
  const isEmpty = plain(note) === '';
  if (typed === undefined)
    return (
      <div className="campaign-note">
        {!isEmpty && (
          <p className="note-text">
            <Text of={note} lines />
          </p>
        )}
        <button
          type="button"
          className="ghost"
          disabled={missing !== undefined}
          title={missing}
          onClick={() => setTyped(plain(note))}
        >
          <NotebookPen size={14} aria-hidden /> {isEmpty ? words.addNote : words.editNote}
        </button>
      </div>
    );
  const end = () => {
    setTyped(undefined);
    change.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { note: typed.trim() },
      {
        onSuccess: () => {
          showToast({ text: words.noteSaved });
          end();
        },
      },
    );
  };
  return (
    <form className="campaign-note" onSubmit={submit}>
      <textarea
        autoFocus
        rows={3}
        maxLength={4000}
        aria-label={words.noteOf}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') end();
        }}
      />
      <FieldError error={change.error ?? undefined} />
      <div className="buttons start">
        <button type="submit" className="primary" disabled={change.isPending}>
          {actionWords.save}
        </button>
        <button type="button" onClick={end}>
          {actionWords.cancel}
        </button>
      </div>
    </form>
  );
}
