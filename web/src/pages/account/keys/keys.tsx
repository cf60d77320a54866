/** The API keys of the account: made, changed, tested, reset and deleted here. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FlaskConical, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { type KeyList, type MadeKey, useApiKeys } from '../../../data/account/keys-and-usage.ts';
import { plain } from '../../../data/foreign.ts';
import { useMe, useMissing } from '../../../data/me.ts';
import { spelledOut } from '../../../data/unseen.ts';
import { Failure, Skeletons } from '../../../parts/region.tsx';
import { Text } from '../../../parts/text.tsx';
import { keyWords as words } from '../../../words/account.ts';
import { number } from '../../../words/language.ts';
import { AccountPage } from '../account-page.tsx';
import { ChangeKey } from './change-key.tsx';
import { KeyPanel } from './key-panel.tsx';
import { DeleteKey, ResetKey } from './key-questions.tsx';
import type { KeysSearch } from './keys-search.ts';
import { NewKey } from './new-key.tsx';
import { ShownKey } from './shown-key.tsx';
import { TestKey } from './test-key.tsx';

export function Keys() {
  const missing = useMissing('admin');
  const keys = useApiKeys(missing === undefined);
  const navigate = useNavigate();
  const [made, setMade] = useState<MadeKey>();
  const go = (search: KeysSearch) => void navigate({ to: '/account/keys', search });
  const list = keys.data;
  const actions = (
    <>
      <button type="button" disabled={!list} title={missing} onClick={() => go({ do: 'test' })}>
        <FlaskConical size={15} aria-hidden /> {words.testKey}
      </button>
      <button
        type="button"
        className="primary"
        disabled={!list}
        title={missing}
        onClick={() => go({ do: 'new' })}
      >
        <KeyRound size={15} aria-hidden /> {words.newKey}
      </button>
    </>
  );
  return (
    <AccountPage
      title={words.title}
      count={list && number(list.keys.length)}
      missing={missing}
      actions={actions}
    >
      {keys.isLoading && <Skeletons count={8} label={words.loading} />}
      {keys.isError && <Failure error={keys.error} what={words.what} retry={() => void keys.refetch()} />}
      {made && list && (
        <ShownKey
          key={plain(made.api_key ?? made.key.username)}
          made={made}
          apiUrl={plain(list.api_url)}
          done={() => setMade(undefined)}
        />
      )}
      {list && (
        <KeyPanels
          list={list}
          go={go}
          show={(key) => {
            setMade(key);
            go({});
          }}
        />
      )}
    </AccountPage>
  );
}

interface KeyPanelsProps {
  readonly list: KeyList;
  readonly go: (search: KeysSearch) => void;
  readonly show: (made: MadeKey) => void;
}

function KeyPanels({ list, go, show }: KeyPanelsProps) {
  const search = useSearch({ from: '/app/account/keys' });
  const isOwner = useMe().data?.api_owner === true;
  const { owner } = list;
  const about = list.keys.find(({ username }) => plain(username) === search.key);
  const close = () => go({});
  const ownerNote = owner === null ? words.noOwner : `${words.owner}: ${spelledOut(owner)}`;
  return (
    <>
      <p className="pale">
        {isOwner ? words.you : owner === null ? words.noOwner : words.ownerIs(<Text of={owner} />)}
      </p>
      {list.keys.map((key) => (
        <KeyPanel
          key={plain(key.username)}
          of={key}
          isOwner={isOwner}
          ownerNote={ownerNote}
          open={(dialog, username) => go({ do: dialog, key: username })}
        />
      ))}
      {search.do === 'new' && <NewKey list={list} close={close} made={show} />}
      {search.do === 'test' && <TestKey close={close} />}
      {search.do === 'change' && about && (
        <ChangeKey key={search.key} of={about} list={list} close={close} made={show} />
      )}
      {search.do === 'reset' && about && isOwner && <ResetKey of={about} close={close} made={show} />}
      {search.do === 'delete' && about && <DeleteKey of={about} close={close} />}
    </>
  );
}
