/**
 * Text that somebody else wrote: names, registrars, titles, notes, messages about them. It may hold markup, characters that cannot be seen and
 * such that reverse the reading direction, so it is drawn by `<Text>` and `<Name>` alone. The type is opaque on purpose: the compiler refuses
 * it as a child or an attribute of an element, and wherever a string is expected.
 */
declare const brand: unique symbol;

export interface Foreign {
  readonly [brand]: 'text of somebody else';
}

/** Members whose text we make ourselves: identifiers, times, words of fixed lists. */
type OwnMember =
  | 'id'
  | 'ids'
  | 'decision_id'
  | 'monitor_id'
  | 'monitor_ids'
  | 'parent_id'
  | 'request_id'
  | 'at'
  | 'changed_at'
  | 'last_seen'
  | 'last_success'
  | 'newest'
  | 'oldest'
  | 'last_failure'
  | 'started'
  | 'first_seen'
  | 'first'
  | 'last'
  | 'as_of'
  | 'looked_at'
  | 'since'
  | 'from'
  | 'created'
  | 'used'
  | 'seen'
  | 'discovered_date'
  | 'changed_date'
  | 'create_date'
  | 'created_date'
  | 'date'
  | 'domain_id'
  | 'first_seen_date'
  | 'joined_date'
  | 'last_joined_date'
  | 'last_seen_date'
  | 'cursor'
  | 'path'
  | 'hash'
  | 'class'
  | 'code'
  | 'state'
  | 'permissions'
  | 'features'
  | 'components'
  | 'version'
  | 'time';

/** An answer of the server as the app holds it: every string is foreign unless its member is ours or its values are listed. */
export type Received<T, Member = ''> = T extends string
  ? string extends T
    ? Member extends OwnMember
      ? T
      : Foreign
    : T
  : T extends readonly (infer Element)[]
    ? readonly Received<Element, Member>[]
    : T extends object
      ? { readonly [Key in keyof T]: Received<T[Key], Key> }
      : T;

/** What a person typed, or an address held, as foreign text. */
export const foreign = (text: string): Foreign => text as unknown as Foreign;

/** The text itself: to be sent, copied or computed with, never to be drawn. */
export const plain = (text: Foreign): string => text as unknown as string;
