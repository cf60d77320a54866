/** The menu of operations on one or several values, and the dialogs that some of them open. */
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { type Foreign, plain } from '../data/foreign.ts';
import { useMissing } from '../data/me.ts';
import { useCatalogue, useSearchCount } from '../data/search.ts';
import { spelledOut } from '../data/unseen.ts';
import { defang } from '../names/defang.ts';
import { addressOfQuery } from '../pages/search/search-address.ts';
import { copyText } from '../pages/triage/copy-name.ts';
import { valueIs } from '../query/condition.ts';
import { useOpenSearch } from '../query/search-context.ts';
import { narrowed, queryOf, type SearchQuery } from '../query/search-query.ts';
import { kindOfField, pageOf } from '../query/value-kind.ts';
import { valueMenuWords as words } from '../words/value-menu.ts';
import { Menu, type MenuAnchor, type MenuItem } from './menu.tsx';
import { Text } from './text.tsx';

const TagDialog = lazy(async () => ({ default: (await import('../pages/tags/tag-dialog.tsx')).TagDialog }));
const AddToInvestigation = lazy(async () => ({
  default: (await import('../pages/investigations/add-dialog.tsx')).AddToInvestigation,
}));

export interface ValueOfField {
  /** A search parameter or a column. */
  readonly field: string;
  readonly value: Foreign;
}

interface ValueOperationsProps {
  readonly values: readonly ValueOfField[];
  readonly anchor: MenuAnchor;
  readonly close: () => void;
}

export function ValueOperations({ values, anchor, close }: ValueOperationsProps) {
  const [only] = values;
  const [chosen, setChosen] = useState(values.length === 1 ? only : undefined);
  const [dialog, setDialog] = useState<'tag' | 'add'>();
  if (!chosen)
    return (
      <Menu
        label={words.whichValue}
        head={words.whichValue}
        anchor={anchor}
        close={close}
        items={values.map((value, index) => ({
          id: String(index),
          label: spelledOut(value.value),
          stays: true,
          run: () => setChosen(value),
        }))}
      />
    );
  const value = plain(chosen.value);
  if (dialog === 'tag')
    return (
      <Suspense>
        <TagDialog domains={[value]} close={close} />
      </Suspense>
    );
  if (dialog === 'add')
    return (
      <Suspense>
        <AddToInvestigation
          add={{ item: { kind: kindOfField(chosen.field) ?? 'text', value } }}
          close={close}
        />
      </Suspense>
    );
  return <Operations of={chosen} anchor={anchor} close={close} openDialog={setDialog} />;
}

interface OperationsProps {
  readonly of: ValueOfField;
  readonly anchor: MenuAnchor;
  readonly close: () => void;
  readonly openDialog: (dialog: 'tag' | 'add') => void;
}

/** The search parameter for a value of a field, which may be a parameter itself. */
function useParameterOf(field: string): string | undefined {
  const catalogue = useCatalogue().data;
  if (catalogue?.parameters.some(({ name }) => name === field)) return field;
  return catalogue?.columns.find(({ name }) => name === field)?.parameter ?? undefined;
}

function Operations({ of: { field, value }, anchor, close, openDialog }: OperationsProps) {
  const navigate = useNavigate();
  const search = useOpenSearch();
  const cannotTriage = useMissing('triage');
  const parameter = useParameterOf(field);
  const text = plain(value);
  const kind = kindOfField(field);
  const noParameter = parameter === undefined ? words.noParameter : undefined;
  const is = (not: boolean) => (parameter === undefined ? undefined : valueIs(parameter, text, not));
  const pivot = queryOf([is(false) ?? []].flat());
  const searched = (query: SearchQuery | undefined) =>
    query && void navigate({ to: '/search', search: addressOfQuery(query) });
  const operation = (id: string, label: string, run: () => void, more: Partial<MenuItem> = {}): MenuItem => ({
    id,
    label,
    run,
    ...more,
  });
  const changing = (not: boolean) => {
    const condition = is(not);
    const query = search?.query && condition ? narrowed(search.query, condition) : undefined;
    return operation(String(not), not ? words.exclude : words.narrow, () => query && search?.change(query), {
      disabled: noParameter,
      hint: query && <Counted query={query} />,
    });
  };
  const items: readonly MenuItem[] = [
    kind && operation('open', words.open[kind], () => void navigate(pageOf(kind, text))),
    operation('pivot', words.pivot, () => searched(pivot), {
      disabled: noParameter,
      hint: pivot && <Counted query={pivot} />,
    }),
    search?.query && changing(false),
    search?.query && changing(true),
    operation('copy', words.copy, () => void copyText(text, words.copied), { apart: true }),
    operation('defanged', words.copyDefanged, () => void copyText(defang(text), words.copiedDefanged)),
    (kind === 'domain' || kind === 'ip' || kind === 'name_server') &&
      operation('pdns', words.passiveDns, () => void navigate({ to: '/pdns', search: { name: text } }), {
        apart: true,
      }),
    kind === 'domain' &&
      operation('tag', words.tag, () => openDialog('tag'), { stays: true, disabled: cannotTriage }),
    operation('add', words.add, () => openDialog('add'), {
      stays: true,
      disabled: cannotTriage,
      apart: kind === undefined || kind === 'email' || kind === 'certificate',
    }),
  ].filter((item) => item !== undefined && item !== false);
  return (
    <Menu
      label={words.operations}
      head={
        <span className="mono">
          <Text of={value} />
        </span>
      }
      items={items}
      anchor={anchor}
      close={close}
    />
  );
}

/** A dry run: how many domains it would be. */
function Counted({ query }: { query: SearchQuery }) {
  const count = useSearchCount(query);
  if (count.data) return words.counted(count.data.total, count.data.too_many);
  return count.isPending ? words.counting : '';
}
