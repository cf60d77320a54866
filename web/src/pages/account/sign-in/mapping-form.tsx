import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type Mapping, mappingOf, type Provider, useChangeProvider } from '../../../data/account/sign-on.ts';
import { showToast } from '../../../data/toasts.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { DialogButtons } from '../../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../../parts/text.tsx';
import { providerWords, mappingWords as words } from '../../../words/identity-providers.ts';
import { actionWords } from '../../../words/parts.ts';
import { permissionNames } from '../permission-fields.tsx';
import { TextField } from './text-field.tsx';

type Rule = Mapping['rules'][number];
type Permissions = Rule['permissions'];

/** Which claims give which permissions, what becomes of everybody else, and how people are recognised. */
export function MappingForm({ of, close }: { of: Provider; close: () => void }) {
  const change = useChangeProvider(of.id);
  const [mapping, setMapping] = useState(() => mappingOf(of));
  const [domains, setDomains] = useState(mapping.email_domains.join(' '));
  const set = (changed: Partial<Mapping>) => setMapping({ ...mapping, ...changed });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const email_domains = domains.split(/[\s,]+/).filter((domain) => domain !== '');
    change.mutate(
      { mapping: { ...mapping, email_domains } },
      {
        onSuccess: () => {
          showToast({ text: actionWords.saved });
          close();
        },
      },
    );
  };
  return (
    <Dialog label={providerWords.mapping} close={close} className="wide mapping-dialog">
      <h2>{words.title(<Text of={of.name} />)}</h2>
      <p className="pale">{words.hint}</p>
      <form onSubmit={submit}>
        <Rules rules={mapping.rules} set={(rules) => set({ rules })} />
        <Otherwise permissions={mapping.otherwise} set={(otherwise) => set({ otherwise })} />
        <fieldset className="choices">
          <legend>{words.people}</legend>
          {([true, false] as const).map((creates) => (
            <label key={String(creates)} className="choice">
              <input
                type="radio"
                name="creates"
                checked={mapping.creates_people === creates}
                onChange={() => set({ creates_people: creates })}
              />
              {creates ? words.create : words.refuseNew}
            </label>
          ))}
        </fieldset>
        <TextField
          label={words.nameClaim}
          hint={words.nameClaimHint}
          isOptional
          value={mapping.name_claim}
          set={(name_claim) => set({ name_claim })}
        />
        <TextField
          label={words.domains}
          hint={words.domainsHint}
          isOptional
          value={domains}
          set={setDomains}
        />
        <FieldError error={change.error} />
        <DialogButtons action={actionWords.save} disabled={change.isPending} close={close} />
      </form>
    </Dialog>
  );
}

const newRule: Rule = { claim: 'groups', value: '', permissions: ['read'] };

function Rules({ rules, set }: { rules: readonly Rule[]; set: (rules: Rule[]) => void }) {
  const change = (index: number, changed: Partial<Rule>) =>
    set(rules.map((rule, at) => (at === index ? { ...rule, ...changed } : rule)));
  return (
    <fieldset className="rules">
      <legend>{words.rules}</legend>
      {rules.map((rule, index) => (
        <fieldset key={index} className="rule" aria-label={words.rule(index + 1)}>
          <label className="field">
            {words.claim}
            <input
              required
              spellCheck={false}
              value={rule.claim}
              placeholder={words.claimExample}
              onChange={({ target }) => change(index, { claim: target.value })}
            />
          </label>
          <label className="field">
            {words.value}
            <input
              required
              spellCheck={false}
              value={rule.value}
              placeholder={words.valueExample}
              onChange={({ target }) => change(index, { value: target.value })}
            />
          </label>
          <button
            type="button"
            className="ghost"
            aria-label={words.removeRule(index + 1)}
            onClick={() => set(rules.filter((_, at) => at !== index))}
          >
            <Trash2 size={15} aria-hidden />
          </button>
          <PermissionChoice
            legend={words.gives}
            held={rule.permissions}
            choose={(permissions) => change(index, { permissions })}
          />
        </fieldset>
      ))}
      <button type="button" onClick={() => set([...rules, newRule])}>
        <Plus size={15} aria-hidden /> {words.addRule}
      </button>
    </fieldset>
  );
}

interface OtherwiseProps {
  readonly permissions: Mapping['otherwise'];
  readonly set: (permissions: Mapping['otherwise']) => void;
}

function Otherwise({ permissions, set }: OtherwiseProps) {
  return (
    <fieldset className="choices">
      <legend>{words.otherwise}</legend>
      <label className="choice">
        <input type="radio" name="otherwise" checked={permissions === null} onChange={() => set(null)} />
        {words.refuse}
      </label>
      <label className="choice">
        <input type="radio" name="otherwise" checked={permissions !== null} onChange={() => set(['read'])} />
        {words.give}
      </label>
      {permissions !== null && <PermissionChoice legend={words.gives} held={permissions} choose={set} />}
    </fieldset>
  );
}

interface PermissionChoiceProps {
  readonly legend: string;
  readonly held: Permissions;
  readonly choose: (permissions: Permissions) => void;
}

/** In one line. At least one stays. */
function PermissionChoice({ legend, held, choose }: PermissionChoiceProps) {
  return (
    <fieldset className="choices inline">
      <legend>{legend}</legend>
      {permissionNames.map((name) => (
        <label key={name} className="choice">
          <input
            type="checkbox"
            checked={held.includes(name)}
            disabled={held.length === 1 && held[0] === name}
            onChange={() => choose(permissionNames.filter((one) => (one === name) !== held.includes(one)))}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
