/** Attributes whose most frequent values narrow down a list of Triage. */

export const facetAttributes = [
  'class',
  'tld',
  'registrar',
  'name_server',
  'ip',
  'country',
  'picture',
  'monitor',
] as const;
export type FacetAttribute = (typeof facetAttributes)[number];
