/** A monitor is made while seeing what it would find: the preview follows the form. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useMissing } from '../../data/me.ts';
import { type MonitorBody, usePreview } from '../../data/monitors.ts';
import { ServerError } from '../../data/request.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { editorWords as words } from '../../words/monitors.ts';
import { actionWords } from '../../words/parts.ts';
import { ExclusionList, withTyped } from './exclusion-list.tsx';
import { Preview } from './preview.tsx';

export type MonitorDraft = Required<Omit<MonitorBody, 'passive_only'>> & Pick<MonitorBody, 'passive_only'>;

const previewAfterMs = 400;
const termLengthMin = 3;

interface MonitorEditorProps {
  readonly first: MonitorDraft;
  /** An existing monitor keeps its term. */
  readonly fixedTerm?: boolean;
  readonly save: (draft: MonitorDraft) => void;
  readonly saving: boolean;
  readonly error: unknown;
  readonly saveLabel: string;
  /** Of an existing monitor: what the change of its settings would have meant. */
  readonly effect?: (change: MonitorDraft) => ReactNode;
  /** What else can be done with it. */
  readonly children?: ReactNode;
}

export function MonitorEditor(props: MonitorEditorProps) {
  const { first, fixedTerm = false, save, saving, error, saveLabel, effect, children } = props;
  const missing = useMissing('manage');
  const [draft, setDraft] = useState(first);
  const settled = useSettled(draft, previewAfterMs);
  const isLongEnough = isLong(draft.term);
  const preview = usePreview(settled, isLong(settled.term));
  const set = (changes: Partial<MonitorDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const append = (values: readonly string[], added: readonly string[]) => [...new Set([...values, ...added])];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    save({
      ...draft,
      text_exclusions: withTyped(draft.text_exclusions, typed.get('text_exclusions')),
      nameserver_exclusions: withTyped(draft.nameserver_exclusions, typed.get('nameserver_exclusions')),
    });
  };
  return (
    <div className="editor">
      <form className="panel editor-form" onSubmit={submit}>
        <label className="field">
          {words.term}
          <input
            // biome-ignore lint: the page is for this field
            autoFocus={!fixedTerm}
            value={draft.term}
            readOnly={fixedTerm}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            placeholder={words.termHint}
            onChange={({ target }) => set({ term: target.value })}
          />
        </label>
        {!isLongEnough && <p className="pale">{words.atLeast(termLengthMin)}</p>}
        <FieldErrors error={error} field="term" />
        <label className="choice">
          <input
            type="checkbox"
            checked={draft.match_substring_variations}
            onChange={({ target }) => set({ match_substring_variations: target.checked })}
          />
          {words.variations}
        </label>
        <label className="choice">
          <input
            type="checkbox"
            checked={draft.passive_only ?? false}
            onChange={({ target }) => set({ passive_only: target.checked })}
          />
          {words.passiveOnly}
        </label>
        <ExclusionList
          name="text_exclusions"
          label={words.texts}
          hint={words.textsHint}
          values={draft.text_exclusions}
          change={(values) => set({ text_exclusions: [...values] })}
          disabled={missing !== undefined}
        />
        <FieldErrors error={error} field="text_exclusions" />
        <ExclusionList
          name="nameserver_exclusions"
          label={words.nameServers}
          hint={words.nameServersHint}
          values={draft.nameserver_exclusions}
          change={(values) => set({ nameserver_exclusions: [...values] })}
          disabled={missing !== undefined}
        />
        <FieldErrors error={error} field="nameserver_exclusions" />
        {error instanceof ServerError && Object.keys(error.fields).length === 0 && (
          <p className="field-error" role="alert">
            <Text of={error.sentence} />
          </p>
        )}
        <div className="buttons start">
          <button
            type="submit"
            className="primary"
            disabled={!isLongEnough || saving || missing !== undefined}
            title={missing}
          >
            {saveLabel}
          </button>
          <Link to="/monitors" className="button">
            {actionWords.cancel}
          </Link>
        </div>
        {children}
      </form>
      <section className="panel preview" aria-label={words.preview} aria-busy={preview.isFetching}>
        <h2>{words.preview}</h2>
        {!isLongEnough && (
          <Empty title={words.typeTerm}>
            <p>{words.typeTermHint}</p>
          </Empty>
        )}
        {isLongEnough && preview.isPending && (
          <>
            {preview.failureCount > 0 && <p className="pale">{words.waiting}</p>}
            <Skeletons count={10} label={words.loading} />
          </>
        )}
        {isLongEnough && preview.isError && (
          <Failure error={preview.error} what={words.thePreview} retry={() => void preview.refetch()} />
        )}
        {effect && !isSame(settled, first) && effect(settled)}
        {isLongEnough && preview.data && !preview.isError && (
          <Preview
            preview={preview.data}
            excludeText={(text) => set({ text_exclusions: append(draft.text_exclusions, [text]) })}
            excludeNameServers={(hosts) =>
              set({ nameserver_exclusions: append(draft.nameserver_exclusions, hosts) })
            }
          />
        )}
      </section>
    </div>
  );
}

const isLong = (term: string): boolean => Array.from(term.trim()).length >= termLengthMin;

const isSame = (one: MonitorDraft, other: MonitorDraft): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The server's own sentences at their field. */
function FieldErrors({ error, field }: { error: unknown; field: string }) {
  const sentences = error instanceof ServerError ? (error.fields[field] ?? []) : [];
  return sentences.map((sentence) => (
    <p key={sentence} className="field-error" role="alert">
      {sentence}
    </p>
  ));
}

/** The value once it has not changed for a while. */
function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
