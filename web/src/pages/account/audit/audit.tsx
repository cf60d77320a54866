/** Who changed what in the account, and whether anybody has touched the log itself. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Link2, Link2Off } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useAudit, useAuditChain } from '../../../data/account/keys-and-usage.ts';
import { useMissing } from '../../../data/me.ts';
import { Empty, Failure, Skeletons } from '../../../parts/region.tsx';
import { Ago } from '../../../parts/time.tsx';
import { auditWords as words } from '../../../words/account.ts';
import { timeWords } from '../../../words/parts.ts';
import { AccountPage } from '../account-page.tsx';
import type { AuditSearchState } from './audit-search.ts';
import { AuditTable } from './audit-table.tsx';

export function AuditLog() {
  const missing = useMissing('admin');
  return (
    <AccountPage title={words.title} missing={missing}>
      <Chain />
      <Entries />
    </AccountPage>
  );
}

function Chain() {
  const chain = useAuditChain(true);
  if (chain.isError)
    return <Failure error={chain.error} what={words.chainWhat} retry={() => void chain.refetch()} />;
  if (!chain.data) return <p role="status">{words.checking}</p>;
  const { checked, broken_at: brokenAt, at } = chain.data;
  return (
    <p role="status" className={brokenAt === null ? 'chain' : 'chain broken'}>
      {brokenAt === null ? <Link2 size={16} aria-hidden /> : <Link2Off size={16} aria-hidden />}
      <span>
        {brokenAt === null
          ? words.whole(checked, <Ago at={at} suffix={timeWords.ago} />)
          : words.broken(brokenAt)}
      </span>
    </p>
  );
}

function Entries() {
  const { actor, kind, before } = useSearch({ from: '/app/account/audit' });
  const audit = useAudit({ actor, kind, before: before === undefined ? undefined : Number(before) }, true);
  const filter = { ...(actor === undefined ? {} : { actor }), ...(kind === undefined ? {} : { kind }) };
  const entries = audit.data?.entries ?? [];
  return (
    <>
      <Filter key={`${actor} ${kind}`} actor={actor ?? ''} kind={kind ?? ''} />
      {audit.isPending && <Skeletons count={12} label={words.loading} />}
      {audit.isError && <Failure error={audit.error} what={words.what} retry={() => void audit.refetch()} />}
      {audit.data && entries.length === 0 && (
        <Empty title={words.none}>
          <p>{words.noneHint}</p>
          <Link to="/account/audit" className="button">
            {words.reset}
          </Link>
        </Empty>
      )}
      {entries.length > 0 && <AuditTable entries={entries} filter={filter} />}
      {audit.data && (
        <div className="buttons start">
          {before !== undefined && (
            <Link to="/account/audit" search={filter} className="button">
              {words.newest}
            </Link>
          )}
          {audit.data.before !== null && (
            <Link
              to="/account/audit"
              search={{ ...filter, before: String(audit.data.before) }}
              className="button"
            >
              {words.older}
            </Link>
          )}
        </div>
      )}
    </>
  );
}

const kinds = Object.entries(words.kinds);

function Filter({ actor: before, kind }: { actor: string; kind: string }) {
  const navigate = useNavigate();
  const [actor, setActor] = useState(before);
  const go = (given: { actor: string; kind: string }) => {
    const search: AuditSearchState = {
      ...(given.actor.trim() === '' ? {} : { actor: given.actor.trim() }),
      ...(given.kind === '' ? {} : { kind: given.kind }),
    };
    void navigate({ to: '/account/audit', search, replace: true });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go({ actor, kind });
  };
  return (
    <form className="add-line" aria-label={words.filter} onSubmit={submit}>
      <label className="field">
        {words.actor}
        <input
          type="search"
          value={actor}
          placeholder={words.anyone}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setActor(target.value)}
        />
      </label>
      <label className="field">
        {words.kind}
        <select value={kind} onChange={({ target }) => go({ actor, kind: target.value })}>
          <option value="">{words.anything}</option>
          {kinds.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">{words.show}</button>
    </form>
  );
}
