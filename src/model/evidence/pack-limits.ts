/** What a request for an evidence pack may have, in every API. */
export const packDomainsMax = 20;
export const recipientNameLengthMax = 200;
export const noteLengthMax = 2000;

export const recipientKinds = [
  'registrar',
  'hosting-provider',
  'lawyer',
  'takedown-service',
  'other',
] as const;

export type RecipientKind = (typeof recipientKinds)[number];
