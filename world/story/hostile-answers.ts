/** What DNS says of domains whose owners mean harm: the server of the world obeys, whatever else it knows about them. */

export type HostileAnswer =
  | { readonly kind: 'addresses'; readonly four: readonly string[]; readonly six: readonly string[] }
  /** Returned in rotation, so that two queries get two different answers. */
  | { readonly kind: 'rebinding'; readonly four: readonly string[] }
  | { readonly kind: 'alias'; readonly target: string };

const manyAddresses = Array.from({ length: 500 }, (_, index) => `127.88.${index >> 8}.${index & 255}`);

/** By registrable domain. An alias loop is listed for the host it leads to as well. */
export const hostileAnswers: ReadonlyMap<string, HostileAnswer> = new Map<string, HostileAnswer>([
  ['loopback-inside.brax', { kind: 'addresses', four: ['127.0.0.1'], six: [] }],
  ['metadata-inside.brax', { kind: 'addresses', four: ['169.254.169.254'], six: [] }],
  ['office-inside.brax', { kind: 'addresses', four: ['10.0.0.1'], six: [] }],
  ['nowhere-inside.brax', { kind: 'addresses', four: ['0.0.0.0'], six: [] }],
  ['six-inside.brax', { kind: 'addresses', four: [], six: ['::1'] }],
  ['mapped-inside.brax', { kind: 'addresses', four: [], six: ['::ffff:127.0.0.1'] }],
  ['mixed-inside.brax', { kind: 'addresses', four: ['127.81.3.10', '127.0.0.1'], six: [] }],
  ['rebinding.brax', { kind: 'rebinding', four: ['127.81.3.10', '127.0.0.1'] }],
  ['five-hundred.brax', { kind: 'addresses', four: manyAddresses, six: [] }],
  ['alias-loop.brax', { kind: 'alias', target: 'www.alias-loop.brax' }],
  ['www.alias-loop.brax', { kind: 'alias', target: 'alias-loop.brax' }],
]);
