/** What a key may do, member by member. */
import type { ReactNode } from 'react';
import type { KeyList } from '../../../data/account/keys-and-usage.ts';
import { plain } from '../../../data/foreign.ts';
import { Text } from '../../../parts/text.tsx';
import { productName, keyFormWords as words } from '../../../words/account.ts';
import { PermissionFields } from '../permission-fields.tsx';
import { type KeyGrants, readAddresses } from './key-presets.ts';

interface GrantFieldsProps {
  readonly list: KeyList;
  readonly grants: KeyGrants;
  readonly addresses: string;
  readonly set: (grants: KeyGrants) => void;
  readonly setAddresses: (addresses: string) => void;
}

export function GrantFields({ list, grants, addresses, set, setAddresses }: GrantFieldsProps) {
  const { grantable, your_address: mine } = list;
  const isMineMissing = !readAddresses(addresses).includes(plain(mine));
  return (
    <>
      <PermissionFields
        legend={words.permissions}
        held={grants.permissions}
        choose={(permissions) => set({ ...grants, permissions })}
      />
      <ProductFields
        of={grantable.products}
        chosen={grants.products}
        choose={(products) => set({ ...grants, products })}
      >
        <Choice
          label={grantable.passive_dns || grants.passiveDns ? words.pdns : words.noPdns}
          checked={grants.passiveDns}
          disabled={!grantable.passive_dns && !grants.passiveDns}
          toggle={() => set({ ...grants, passiveDns: !grants.passiveDns })}
        />
        <Choice
          label={grantable.channels !== null || grants.channels !== null ? words.batch : words.noBatch}
          checked={grants.channels !== null}
          disabled={grantable.channels === null && grants.channels === null}
          toggle={() => set({ ...grants, channels: grants.channels === null ? '' : null })}
        />
      </ProductFields>
      {grants.channels !== null && (
        <label className="field">
          {words.channels}
          <input
            value={grants.channels}
            inputMode="numeric"
            pattern="[0-9, ]*"
            onChange={({ target }) => set({ ...grants, channels: target.value })}
          />
          <small>{words.channelsHint}</small>
        </label>
      )}
      <label className="field">
        {words.addresses}
        <textarea
          rows={3}
          value={addresses}
          spellCheck={false}
          onChange={({ target }) => setAddresses(target.value)}
        />
        <small>{words.addressesHint}</small>
      </label>
      {isMineMissing && (
        <button
          type="button"
          className="start"
          onClick={() => setAddresses([...readAddresses(addresses), plain(mine)].join('\n'))}
        >
          {words.myAddress(<Text of={mine} />)}
        </button>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly toggle: () => void;
}

function Choice({ label, checked, disabled = false, toggle }: ChoiceProps) {
  return (
    <label className="choice">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={toggle} />
      {label}
    </label>
  );
}

interface ProductFieldsProps {
  readonly of: readonly string[];
  readonly chosen: readonly string[] | null;
  readonly choose: (products: readonly string[] | null) => void;
  readonly children: ReactNode;
}

function ProductFields({ of, chosen, choose, children }: ProductFieldsProps) {
  return (
    <fieldset className="choices">
      <legend>{words.products}</legend>
      {children}
      <Choice
        label={words.allProducts}
        checked={chosen === null}
        toggle={() => choose(chosen === null ? of : null)}
      />
      {chosen !== null && (
        <div className="product-choices">
          {of.map((product) => (
            <Choice
              key={product}
              label={productName(product)}
              checked={chosen.includes(product)}
              toggle={() => choose(of.filter((one) => (one === product) !== chosen.includes(one)))}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
