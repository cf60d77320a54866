/** Gives tags to one or many domains and takes them off: by keyboard, a label and Enter. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type Foreign, foreign } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { showToast } from '../../data/toasts.ts';
import { defang } from '../../names/defang.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FieldError } from '../../parts/field-error.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { actionWords } from '../../words/parts.ts';
import { tagDialogWords, tagWords } from '../../words/tags.ts';
import {
  foldLabel,
  keyOfTag,
  stateOf,
  type TagChoice,
  tagChangesOf,
  tagChoices,
  type Wanted,
} from './tag-choices.ts';
import { type TagScope, useChangeDomainTags, useDomainTags, useTags } from './tag-data.ts';
import { TagLabel } from './tag-label.tsx';

interface TagDialogProps {
  readonly domains: readonly string[];
  readonly close: () => void;
}

/** As many as the server changes in one request. */
const domainsMax = 500;

export function TagDialog({ domains, close }: TagDialogProps) {
  const [only] = domains;
  const isTooMany = domains.length > domainsMax;
  return (
    <Dialog label={tagDialogWords.title} close={close}>
      <h2>
        {domains.length === 1 && only !== undefined
          ? tagDialogWords.of(<Text of={foreign(defang(only))} />)
          : tagDialogWords.ofMany(domains.length)}
      </h2>
      {isTooMany ? (
        <p>{tagDialogWords.tooMany(domains.length, domainsMax)}</p>
      ) : (
        <TagChooser domains={domains} close={close} />
      )}
    </Dialog>
  );
}

function TagChooser({ domains, close }: TagDialogProps) {
  const tags = useTags();
  const given = useDomainTags(domains);
  const failed = [tags, given].find(({ isError }) => isError);
  if (failed)
    return <Failure error={failed.error} what={tagWords.what} retry={() => void failed.refetch()} />;
  if (!tags.data || !given.data) return <Skeletons count={5} label={tagDialogWords.loading} />;
  return <ChooserForm tags={tags.data.tags} given={given.data} domains={domains} close={close} />;
}

type Given = NonNullable<ReturnType<typeof useDomainTags>['data']>;
type Known = NonNullable<ReturnType<typeof useTags>['data']>['tags'];

function ChooserForm({ tags, given, domains, close }: TagDialogProps & { tags: Known; given: Given }) {
  const missing = useMissing('triage');
  const change = useChangeDomainTags();
  const [text, setText] = useState('');
  const [scope, setScope] = useState<TagScope>('team');
  const [made, setMade] = useState<readonly { label: string; scope: TagScope }[]>([]);
  const [wanted, setWanted] = useState<Wanted>(new Map());
  const count = given.domains.length;
  const choices = tagChoices(tags, given, made);
  const typed = text.trim();
  const shown = choices.filter(({ key }) => key.includes(foldLabel(text)));
  const exact = choices.find(({ key }) => key === keyOfTag(typed, scope));
  const choose = ({ key }: Pick<TagChoice, 'key'>, want: boolean) => {
    setWanted((before) => new Map([...before, [key, want]]));
    // What was typed has led to it, and Enter now means to apply.
    setText('');
  };
  const make = () => {
    if (typed === '' || typed.includes(',')) return;
    if (!exact) setMade((before) => [...before, { label: typed, scope }]);
    choose({ key: keyOfTag(typed, scope) }, true);
  };
  const changes = tagChangesOf(choices, wanted, count);
  const isUnchanged = changes.add.length + changes.remove.length === 0;
  const apply = () =>
    change.mutate(
      { domains: [...domains], ...changes },
      {
        onSuccess: () => {
          close();
          showToast({ text: tagDialogWords.applied });
        },
      },
    );
  return (
    <form
      onKeyDown={moveBetweenChoices}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== '') make();
        else if (!isUnchanged) apply();
      }}
    >
      <TagField
        text={text}
        setText={setText}
        scope={scope}
        setScope={setScope}
        canMake={typed !== '' && !typed.includes(',') && !exact}
        make={make}
      />
      {typed.includes(',') && <p className="field-error">{tagDialogWords.comma}</p>}
      <fieldset className="tag-choices" aria-label={tagDialogWords.choices}>
        {shown.map((choice) => (
          <Choice
            key={choice.key}
            choice={choice}
            state={stateOf(choice, wanted, count)}
            domains={count}
            choose={(want) => choose(choice, want)}
          />
        ))}
        {choices.length === 0 && <p className="pale">{tagDialogWords.none}</p>}
      </fieldset>
      {given.missing.length > 0 && <p className="banner">{tagDialogWords.missing(given.missing.length)}</p>}
      <FieldError error={change.error} />
      <div className="buttons">
        <button type="button" onClick={close}>
          {actionWords.cancel}
        </button>
        <button
          type="button"
          className="primary"
          disabled={missing !== undefined || isUnchanged || change.isPending}
          title={missing}
          onClick={apply}
        >
          {tagDialogWords.apply}
        </button>
      </div>
    </form>
  );
}

/** The arrows lead from the field to the tags and back, as in every list with completion. */
function moveBetweenChoices(event: KeyboardEvent<HTMLFormElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.target instanceof HTMLSelectElement) return;
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLInputElement>(
      'input:not([type=checkbox]), .tag-choice input',
    ),
  ];
  const next = stops[stops.indexOf(event.target as HTMLInputElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

interface TagFieldProps {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly scope: TagScope;
  readonly setScope: (scope: TagScope) => void;
  readonly canMake: boolean;
  readonly make: () => void;
}

const labelCharactersMax = 64;

function TagField({ text, setText, scope, setScope, canMake, make }: TagFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // The dialog was there before what it is for.
  useEffect(() => {
    field.current?.focus();
  }, []);
  return (
    <>
      <label className="field">
        {tagDialogWords.find}
        <input
          ref={field}
          value={text}
          autoComplete="off"
          maxLength={labelCharactersMax}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {canMake && (
        <div className="add-line">
          <button type="button" onClick={make}>
            <MakeLabel label={foreign(text.trim())} />
          </button>
          <label className="field inline">
            {tagDialogWords.newSeenBy}
            <select value={scope} onChange={(event) => setScope(event.target.value as TagScope)}>
              <option value="team">{tagWords.scopes.team}</option>
              <option value="own">{tagWords.scopes.own}</option>
            </select>
          </label>
        </div>
      )}
    </>
  );
}

function MakeLabel({ label }: { label: Foreign }) {
  return <span>{tagDialogWords.make(<Text of={label} />)}</span>;
}

interface ChoiceProps {
  readonly choice: TagChoice;
  readonly state: 'all' | 'some' | 'none';
  readonly domains: number;
  readonly choose: (want: boolean) => void;
}

function Choice({ choice, state, domains, choose }: ChoiceProps) {
  return (
    <label className="tag-choice">
      <input
        type="checkbox"
        checked={state === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = state === 'some';
        }}
        onChange={(event) => choose(event.target.checked)}
      />
      <TagLabel tag={choice} />
      {state === 'some' && domains > 1 && <small>{tagDialogWords.some(choice.has, domains)}</small>}
    </label>
  );
}
