/** All tags that the person can see: how many domains have them, how risky those are, who made them and until when they stay. */
import '../../styles/tags.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowDown, Pencil, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import { spelledOut } from '../../data/unseen.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { Risk } from '../../parts/risk.tsx';
import { SearchLink } from '../../parts/search-link.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago, Moment } from '../../parts/time.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { WideTable } from '../../parts/wide-table.tsx';
import { number } from '../../words/language.ts';
import { tagWords as words } from '../../words/tags.ts';
import { DeleteTag } from './delete-tag.tsx';
import { EditTag } from './edit-tag.tsx';
import { foldLabel } from './tag-choices.ts';
import { type Tag, useTags } from './tag-data.ts';
import { TagLabel } from './tag-label.tsx';
import type { TagSort, TagsSearch } from './tags-search.ts';

export function Tags() {
  useTitle(words.title);
  const search = useSearch({ from: '/app/tags' });
  const navigate = useNavigate();
  const tags = useTags();
  const filter = useRef<HTMLInputElement>(null);
  const go = (next: TagsSearch, replace = false) => void navigate({ to: '/tags', search: next, replace });
  useKeys([{ keys: '/', label: words.filterKey, group: 'Lists', run: () => filter.current?.focus() }]);
  const all = tags.data?.tags ?? [];
  const shown = sorted(
    all.filter(({ label }) => foldLabel(plain(label)).includes(foldLabel(search.q ?? ''))),
    search.sort ?? 'label',
  );
  const find = (id: string | undefined) => all.find((tag) => tag.id === id);
  const { edit, remove, ...list } = search;
  const [edited, removed] = [find(edit), find(remove)];
  const close = () => go(list);
  return (
    <div className="page-body tags-page">
      <header className="page-head">
        <h1>
          {words.title} {tags.data && <span className="count">{number(all.length)}</span>}
        </h1>
        <div className="grow" />
        {all.length > 0 && (
          <input
            ref={filter}
            type="search"
            aria-label={words.filter}
            placeholder={words.filter}
            value={search.q ?? ''}
            onChange={({ target: { value } }) => {
              const { q: _before, ...rest } = list;
              go(value === '' ? rest : { ...rest, q: value }, true);
            }}
          />
        )}
      </header>
      {tags.isLoading && <Skeletons count={8} label={words.loading} />}
      {tags.isError && <Failure error={tags.error} what={words.what} retry={() => void tags.refetch()} />}
      {tags.data && all.length === 0 && (
        <Empty title={words.empty}>
          <p>{words.emptyHint}</p>
          <p className="buttons">
            <Link to="/triage" className="button">
              {words.toTriage}
            </Link>
            <Link to="/search" className="button">
              {words.toSearch}
            </Link>
          </p>
        </Empty>
      )}
      {tags.data?.more === true && <p className="banner">{words.more}</p>}
      {all.length > 0 && shown.length === 0 && <Empty title={words.noneMatch} />}
      {shown.length > 0 && <TagTable tags={shown} search={list} go={go} />}
      {edited && <EditTag key={edited.id} tag={edited} close={close} />}
      {removed && <DeleteTag tag={removed} close={close} />}
    </div>
  );
}

function sorted(tags: readonly Tag[], by: TagSort): readonly Tag[] {
  if (by === 'label') return tags;
  const order = {
    domains: (one: Tag, other: Tag) => other.domains - one.domains,
    risk: (one: Tag, other: Tag) => (other.average_risk ?? -1) - (one.average_risk ?? -1),
    used: (one: Tag, other: Tag) => plain(other.used_at).localeCompare(plain(one.used_at)),
  }[by];
  return [...tags].sort(order);
}

interface TableProps {
  readonly tags: readonly Tag[];
  readonly search: TagsSearch;
  readonly go: (search: TagsSearch) => void;
}

function TagTable({ tags, search, go }: TableProps) {
  const { sort = 'label', ...rest } = search;
  const head = (by: TagSort, text: string, numeric = false) => (
    <th
      scope="col"
      className={numeric ? 'number' : undefined}
      aria-sort={sort === by ? (by === 'label' ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className="ghost sort"
        onClick={() => go(by === 'label' ? rest : { ...rest, sort: by })}
      >
        {text} {sort === by && <ArrowDown size={13} aria-hidden />}
      </button>
    </th>
  );
  return (
    <WideTable label={words.all} panel>
      <table className="data-table">
        <thead>
          <tr>
            {head('label', words.columns.tag)}
            <th scope="col">{words.columns.scope}</th>
            {head('domains', words.columns.domains, true)}
            {head('risk', words.columns.risk)}
            <th scope="col">{words.columns.expires}</th>
            <th scope="col">{words.columns.by}</th>
            {head('used', words.columns.used)}
            <th scope="col">
              <span className="sr">{words.columns.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tags.map((tag) => (
            <TagLine key={tag.id} tag={tag} go={(open) => go({ ...search, ...open })} />
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function TagLine({ tag, go }: { tag: Tag; go: (open: TagsSearch) => void }) {
  const { id, label, scope, domains, average_risk, expires_at, by, used_at } = tag;
  const missing = useMissing('triage');
  const name = spelledOut(label);
  return (
    <tr>
      <td>
        <Link to="/tags/$tag" params={{ tag: plain(label) }}>
          <TagLabel tag={{ ...tag, scope: 'team' }} />
        </Link>
      </td>
      <td>{words.scopes[scope]}</td>
      <td className="number">
        <SearchLink query={{ parameters: { tagged_with_any: [plain(label)] } }}>{number(domains)}</SearchLink>
      </td>
      <td>
        {average_risk === null ? (
          <span className="pale">–</span>
        ) : (
          <Risk score={Math.round(average_risk)} status={null} />
        )}
      </td>
      <td>{expires_at === null ? words.never : <Moment at={plain(expires_at)} />}</td>
      <td>{by === null ? words.unknown : <Text of={by} />}</td>
      <td>
        <Ago at={plain(used_at)} />
      </td>
      <td className="row-actions">
        <button
          type="button"
          className="ghost"
          disabled={missing !== undefined}
          title={missing}
          aria-label={words.editTag(name)}
          onClick={() => go({ edit: id })}
        >
          <Pencil size={15} aria-hidden />
        </button>
        <button
          type="button"
          className="ghost"
          disabled={missing !== undefined}
          title={missing}
          aria-label={words.deleteTag(name)}
          onClick={() => go({ remove: id })}
        >
          <Trash2 size={15} aria-hidden />
        </button>
      </td>
    </tr>
  );
}
