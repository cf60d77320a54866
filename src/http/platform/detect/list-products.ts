/** The product that reading a list of domains needs. */
import type { DomainState } from '../../../model/detect/watchlist.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';

export const listProducts: Readonly<Record<DomainState, ProductId>> = {
  new: 'intel-detect-new-domains',
  watched: 'intel-detect-watched-domains',
  ignored: 'intel-detect-ignored-domains',
};
