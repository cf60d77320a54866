/** Where the blocklists of an account are, beyond the contract: links for resolvers and sensors, which have no keys. */
import { type Static, Type } from 'typebox';
import { blocklistFormatNames, blocklistFormats } from '../../model/detect/blocklist/format.ts';
import type { Settings } from '../../model/settings.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import type { BlocklistLinks } from '../files/blocklist-links.ts';
import { generalDraw } from './detect-draws.ts';
import type { Offer } from './offer.ts';

export interface BlocklistRouteNeeds {
  readonly watchlist: Pick<WatchlistStore, 'blocklistEdition' | 'renewBlocklistEdition'>;
  readonly blocklistLinks: BlocklistLinks;
  readonly settings: Pick<Settings, 'limits'>;
}

const BlocklistsAnswer = Type.Object({
  blocklists: Type.Array(
    Type.Object({
      format: Type.Unsafe<string>({ type: 'string', enum: [...blocklistFormatNames] }),
      description: Type.String(),
      url: Type.String({ description: 'opens the list without a key; keep it as secret as one' }),
    }),
  ),
});

export function detectBlocklistRoutes(
  offer: Offer,
  { watchlist, blocklistLinks, settings }: BlocklistRouteNeeds,
): void {
  const onWire = (accountId: string, edition: number): Static<typeof BlocklistsAnswer> => ({
    blocklists: blocklistFormatNames.map((format) => ({
      format,
      description: blocklistFormats[format].description,
      url: blocklistLinks.make({ accountId, edition, format }),
    })),
  });

  offer('getDetectBlocklists', {
    parameters: Type.Object({}),
    answer: BlocklistsAnswer,
    draw: (asked) => generalDraw(asked, settings),
    run: async ({ caller }) => onWire(caller.account.id, await watchlist.blocklistEdition(caller.account.id)),
  });

  offer('postDetectBlocklistsRenew', {
    parameters: Type.Object({}),
    answer: BlocklistsAnswer,
    draw: (asked) => generalDraw(asked, settings),
    run: async ({ caller }) =>
      onWire(caller.account.id, await watchlist.renewBlocklistEdition(caller.account.id)),
  });
}
