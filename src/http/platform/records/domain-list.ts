/** The parameter for a list of domains. How many are allowed is a setting, and the product's rule. */
import { Type } from 'typebox';

/** More than any setting allows. */
const itemsMax = 10_000;

export const DomainList = Type.Array(Type.String(), {
  maxItems: itemsMax,
  commas: true,
  description: 'domain names in Unicode or punycode: repeated, separated by commas, or a JSON list',
});
