import { type FormEvent, useState } from 'react';
import { type Selection, type SelectionBody, usePutSelection } from '../../data/blocklists.ts';
import { plain } from '../../data/foreign.ts';
import { useMonitors } from '../../data/monitors.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../parts/text.tsx';
import { selectionWords as words } from '../../words/blocklists.ts';

interface SelectionEditorProps {
  /** Undefined: a new one. */
  readonly selection: Selection | undefined;
  readonly saved: (name: string) => void;
  readonly close: () => void;
}

const usualScore = 70;

/** What is on a blocklist. */
export function SelectionEditor({ selection, saved, close }: SelectionEditorProps) {
  const put = usePutSelection();
  const monitors = useMonitors();
  const [name, setName] = useState(selection ? plain(selection.name) : '');
  const [blocked, setBlocked] = useState(selection?.blocked ?? true);
  const [isByScore, setByScore] = useState(selection?.new_score_min !== undefined);
  const [score, setScore] = useState(String(selection?.new_score_min ?? usualScore));
  const [tags, setTags] = useState((selection?.tags ?? []).map(plain).join(', '));
  const [chosen, setChosen] = useState<readonly string[]>(selection?.monitors.map(({ id }) => id) ?? []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body: SelectionBody = {
      blocked,
      ...(isByScore ? { new_score_min: Number(score) } : {}),
      tags: tags
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
      monitor_ids: [...chosen],
    };
    put.mutate({ name: name.trim(), body }, { onSuccess: () => saved(name.trim()) });
  };
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const title = selection ? words.change : words.create;
  return (
    <Dialog label={title} close={close}>
      <h2>{title}</h2>
      <form onSubmit={submit}>
        <label className="field">
          {words.name}
          <input
            required
            data-first
            value={name}
            readOnly={selection !== undefined}
            placeholder={words.nameExample}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <fieldset className="choices">
          <legend>{words.sources}</legend>
          <label className="choice">
            <input type="checkbox" checked={blocked} onChange={() => setBlocked(!blocked)} /> {words.blocked}
          </label>
          <label className="choice">
            <input type="checkbox" checked={isByScore} onChange={() => setByScore(!isByScore)} />{' '}
            {words.newOnes}
          </label>
        </fieldset>
        {isByScore && (
          <label className="field">
            {words.score}
            <input
              required
              type="number"
              min={0}
              max={100}
              value={score}
              onChange={({ target }) => setScore(target.value)}
            />
          </label>
        )}
        <label className="field">
          {words.tags}
          <input
            value={tags}
            placeholder={words.tagsExample}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => setTags(target.value)}
          />
        </label>
        {monitors.data && monitors.data.monitors.length > 0 && (
          <fieldset className="choices">
            <legend>{words.monitors}</legend>
            {monitors.data.monitors.map(({ id, term }) => (
              <label key={id} className="choice">
                <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />{' '}
                <Text of={term} />
              </label>
            ))}
          </fieldset>
        )}
        <FieldError error={put.error} />
        <DialogButtons action={words.save} disabled={put.isPending || name.trim() === ''} close={close} />
      </form>
    </Dialog>
  );
}
