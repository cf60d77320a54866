import { Pencil, RotateCcw, Trash2 } from 'lucide-react';
import type { Key } from '../../../data/account/keys-and-usage.ts';
import { plain } from '../../../data/foreign.ts';
import { spelledOut } from '../../../data/unseen.ts';
import { Sparkline } from '../../../parts/sparkline.tsx';
import { Text } from '../../../parts/text.tsx';
import { Ago, Moment } from '../../../parts/time.tsx';
import { productName, keyWords as words } from '../../../words/account.ts';
import { timeWords } from '../../../words/parts.ts';
import type { KeyDialog } from './keys-search.ts';

interface KeyPanelProps {
  readonly of: Key;
  /** The person is the API owner. */
  readonly isOwner: boolean;
  /** Who resets keys, said to those who do not. */
  readonly ownerNote: string;
  readonly open: (dialog: KeyDialog, key: string) => void;
}

/** One API user: what its keys may do, until when, from where, and what was done with them. */
export function KeyPanel({ of, isOwner, ownerNote, open }: KeyPanelProps) {
  const isOthersOwner = of.api_owner && !isOwner;
  const name = plain(of.username);
  const notOwners = isOthersOwner ? words.ownersKey : undefined;
  const action = (dialog: keyof typeof icons, label: string, why: string | undefined) => {
    const Icon = icons[dialog];
    return (
      <button
        type="button"
        className={dialog === 'change' ? undefined : 'danger'}
        aria-label={label}
        disabled={why !== undefined}
        title={why}
        onClick={() => open(dialog, name)}
      >
        <Icon size={15} aria-hidden /> {words[dialog]}
      </button>
    );
  };
  const spoken = spelledOut(of.username);
  return (
    <section className="panel key-panel" aria-label={spoken}>
      <div className="key-head">
        <h2>
          <Text of={of.username} />
        </h2>
        <code className="mono pale">
          {of.prefix === null ? words.noPrefix : words.prefix(<Text of={of.prefix} />)}
        </code>
        {of.api_owner && <span className="chip">{words.owner}</span>}
        {of.expired && <span className="chip bad">{words.expiredChip}</span>}
        {of.addresses.length > 0 && <span className="chip">{words.boundChip}</span>}
        <span className="grow" />
        <Sparkline days={of.days} label={words.requests} />
      </div>
      <KeyFacts of={of} />
      <div className="buttons start">
        {action('change', words.changeOf(spoken), notOwners)}
        {action('reset', words.resetOf(spoken), isOwner ? undefined : ownerNote)}
        {action('delete', words.deleteOf(spoken), of.api_owner ? words.ownerStays : undefined)}
      </div>
    </section>
  );
}

const icons = { change: Pencil, reset: RotateCcw, delete: Trash2 } as const;

function KeyFacts({ of }: { of: Key }) {
  const { last_used: used, last_refused: refused, created_by: by } = of;
  const ago = (at: string) => <Ago at={at} suffix={timeWords.ago} />;
  return (
    <dl className="key-facts">
      <dt>{words.facts.may}</dt>
      <dd>{mayWords(of)}</dd>
      <dt>{words.facts.products}</dt>
      <dd title={of.products?.map(productName).join('\n')}>
        {of.products === null ? words.allProducts : words.someProducts(of.products.length)}
      </dd>
      <dt>{words.facts.expires}</dt>
      <dd>{of.expires === null ? words.never : <Moment at={plain(of.expires)} />}</dd>
      <dt>{words.facts.addresses}</dt>
      <dd className={of.addresses.length > 0 ? 'mono' : undefined}>
        {of.addresses.length === 0
          ? words.everywhere
          : of.addresses.map((address) => (
              <span key={plain(address)} className="line">
                <Text of={address} />
              </span>
            ))}
      </dd>
      <dt>{words.facts.used}</dt>
      <dd>{used === null ? words.neverUsed : words.usedFrom(ago(used.at), <Text of={used.address} />)}</dd>
      {refused !== null && (
        <>
          <dt>{words.facts.refused}</dt>
          <dd>{words.refusedFrom[refused.why](ago(refused.at), <Text of={refused.address} />)}</dd>
        </>
      )}
      <dt>{words.facts.made}</dt>
      <dd>{by === null ? ago(of.created) : words.madeBy(ago(of.created), <Text of={by} />)}</dd>
    </dl>
  );
}

function mayWords({ permissions, passive_dns: pdns, channels }: Key): string {
  return [
    ...permissions,
    ...(pdns === 'none' ? [] : [pdns === 'own' ? words.pdnsOwn : words.pdnsShared]),
    ...(channels === null
      ? []
      : [channels === 'all' ? words.batchAll : words.batchSome(channels.join(', '))]),
  ].join(', ');
}
