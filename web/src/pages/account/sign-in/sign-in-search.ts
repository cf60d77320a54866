/** Which dialog of the page of identity providers is open, about which provider, and the test that came back. */
import { definedOnly, oneOf, oneText } from '../../../data/address.ts';

export const providerDialogs = ['new', 'change', 'mapping', 'remove', 'require'] as const;
export type ProviderDialog = (typeof providerDialogs)[number];

export interface SignInSearch {
  readonly do?: ProviderDialog;
  readonly id?: string;
  readonly tested?: string;
}

export function signInSearch(raw: Readonly<Record<string, unknown>>): SignInSearch {
  const dialog = oneOf(raw['do'], providerDialogs);
  const needsId = dialog !== undefined && dialog !== 'new' && dialog !== 'require';
  const id = needsId ? oneText(raw['id']) : undefined;
  const isWhole = !needsId || id !== undefined;
  return definedOnly({ do: isWhole ? dialog : undefined, id, tested: oneText(raw['tested']) });
}
