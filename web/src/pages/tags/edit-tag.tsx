/** The dialog of one tag. A label that another tag has leads to the question whether to merge them. */
import { useState } from 'react';
import { type Foreign, plain } from '../../data/foreign.ts';
import { ServerError } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { DialogButtons } from '../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../parts/text.tsx';
import { actionWords } from '../../words/parts.ts';
import { tagWords as words } from '../../words/tags.ts';
import { instantOf, localTimeOf } from './expiry-field.ts';
import { keyOfTag } from './tag-choices.ts';
import {
  colours,
  type Tag,
  type TagChangeBody,
  type TagColour,
  type TagScope,
  useChangeTag,
  useTags,
} from './tag-data.ts';

interface EditTagProps {
  readonly tag: Tag;
  readonly close: () => void;
}

interface Draft {
  readonly label: string;
  readonly scope: TagScope;
  readonly colour: TagColour;
  readonly expires: string;
}

const labelCharactersMax = 64;

export function EditTag({ tag, close }: EditTagProps) {
  const change = useChangeTag();
  const all = useTags().data?.tags ?? [];
  const expiresAt = tag.expires_at === null ? null : plain(tag.expires_at);
  const before: Draft = {
    label: plain(tag.label),
    scope: tag.scope,
    colour: tag.colour,
    expires: localTimeOf(expiresAt),
  };
  const [draft, setDraft] = useState(before);
  const [merging, setMerging] = useState<TagChangeBody>();
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const other = all.find(
    ({ id, label, scope }) =>
      id !== tag.id && keyOfTag(plain(label), scope) === keyOfTag(draft.label, draft.scope),
  );
  const save = (body: TagChangeBody) =>
    change.mutate(
      { id: tag.id, ...body },
      {
        onSuccess: ({ merged }) => {
          close();
          showToast({ text: merged ? words.merged(merged.moved, merged.domains) : words.changed });
        },
        onError: (error) => {
          if (error instanceof ServerError && error.status === 409) setMerging(body);
        },
      },
    );
  const body = changesOf(before, draft);
  if (merging && other) {
    return (
      <MergeTags
        from={tag}
        into={other}
        pending={change.isPending}
        error={change.error instanceof ServerError && change.error.status === 409 ? null : change.error}
        merge={() => save({ ...merging, merge: true })}
        close={() => setMerging(undefined)}
      />
    );
  }
  return (
    <Dialog label={words.edit} close={close}>
      <form
        className="tag-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (other) setMerging(body);
          else save(body);
        }}
      >
        <h2>{words.editTitle(<Text of={tag.label} />)}</h2>
        <label className="field">
          {words.label}
          <input
            value={draft.label}
            required
            maxLength={labelCharactersMax}
            autoComplete="off"
            onChange={(event) => set({ label: event.target.value })}
          />
        </label>
        <ColourField colour={draft.colour} choose={(colour) => set({ colour })} />
        <ScopeField before={tag.scope} scope={draft.scope} choose={(scope) => set({ scope })} />
        <label className="field">
          {words.expiry}
          <input
            type="datetime-local"
            value={draft.expires}
            onChange={(event) => set({ expires: event.target.value })}
          />
          <small>{words.expiryHint}</small>
        </label>
        <FieldError error={change.error} />
        <DialogButtons
          action={other ? words.merge : actionWords.save}
          disabled={change.isPending || Object.keys(body).length === 0}
          close={close}
        />
      </form>
    </Dialog>
  );
}

/** Only what differs is sent: a time in the field has no seconds, and would otherwise change what nobody touched. */
function changesOf(before: Draft, draft: Draft): TagChangeBody {
  const { label, scope, colour, expires } = draft;
  const expiresAt = instantOf(expires);
  return {
    ...(label.trim() === before.label ? {} : { label: label.trim() }),
    ...(scope === before.scope ? {} : { scope }),
    ...(colour === before.colour ? {} : { colour }),
    ...(expires === before.expires || expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}

interface MergeProps {
  readonly from: Tag;
  readonly into: Tag;
  readonly pending: boolean;
  readonly error: unknown;
  readonly merge: () => void;
  readonly close: () => void;
}

function MergeTags({ from, into, pending, error, merge, close }: MergeProps) {
  const label = (of: Foreign) => <Text of={of} />;
  return (
    <Dialog label={words.mergeDialog} close={close}>
      <h2>{words.mergeTitle(label(into.label))}</h2>
      <p>{words.mergeHint(label(from.label), from.domains, label(into.label), into.domains)}</p>
      <FieldError error={error} />
      <DialogButtons action={words.merge} disabled={pending} run={merge} close={close} />
    </Dialog>
  );
}

function ColourField({ colour, choose }: { colour: TagColour; choose: (colour: TagColour) => void }) {
  return (
    <fieldset className="swatches">
      <legend>{words.colour}</legend>
      {colours.map((one) => (
        <label key={one} className="swatch">
          <input type="radio" name="colour" checked={one === colour} onChange={() => choose(one)} />
          <span className={`tag-dot ${one}`} aria-hidden="true" />
          {words.colours[one]}
        </label>
      ))}
    </fieldset>
  );
}

interface ScopeFieldProps {
  readonly before: TagScope;
  readonly scope: TagScope;
  readonly choose: (scope: TagScope) => void;
}

const scopes: readonly TagScope[] = ['team', 'own'];

function ScopeField({ before, scope, choose }: ScopeFieldProps) {
  return (
    <fieldset>
      <legend>{words.scope}</legend>
      {scopes.map((one) => (
        <label key={one} className="choice">
          <input type="radio" name="scope" checked={one === scope} onChange={() => choose(one)} />
          {words.scopesLong[one]}
        </label>
      ))}
      {scope !== before && <small>{scope === 'team' ? words.toTeam : words.toOwn}</small>}
    </fieldset>
  );
}
