/** Links to the blocklists of an account, beyond the contract: for resolvers and sensors, which have no keys. */
import { type Static, Type } from 'typebox';
import { blocklistFormatNames, blocklistFormats } from '../../../model/detect/blocklist/format.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { EscalationStore } from '../../../store/escalation-store.ts';
import type { BlocklistLinks } from '../../files/blocklist-links.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';

export interface BlocklistOperationNeeds {
  readonly escalations: Pick<EscalationStore, 'blocklistEdition' | 'renewBlocklistEdition'>;
  readonly blocklistLinks: BlocklistLinks;
  readonly settings: Pick<Settings, 'limits'>;
}

const BlocklistsResponse = Type.Object({
  blocklists: Type.Array(
    Type.Object({
      format: Type.Unsafe<string>({ type: 'string', enum: [...blocklistFormatNames] }),
      description: Type.String(),
      url: Type.String({ description: 'downloads the list without a key; keep it as secret as a key' }),
    }),
  ),
});

export function blocklistOperations({
  escalations,
  blocklistLinks,
  settings,
}: BlocklistOperationNeeds): readonly Operation[] {
  const onWire = (accountId: string, edition: number): Static<typeof BlocklistsResponse> => ({
    blocklists: blocklistFormatNames.map((format) => ({
      format,
      description: blocklistFormats[format].description,
      url: blocklistLinks.make({ accountId, edition, format }),
    })),
  });

  const getDetectBlocklists = defineOperation({
    id: 'getDetectBlocklists',
    family: families.detect,
    route: 'GET /intel-detect/blocklists/',
    product: 'intel-detect-escalate-domains',
    permission: 'read',
    summary: 'Links to blocklists of domains escalated as blocked',
    parameters: Type.Object({}),
    response: BlocklistsResponse,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }) =>
      onWire(caller.account.id, await escalations.blocklistEdition(caller.account.id)),
  });

  const postDetectBlocklistsRenew = defineOperation({
    id: 'postDetectBlocklistsRenew',
    family: families.detect,
    route: 'POST /intel-detect/blocklists/renew/',
    product: 'intel-detect-escalate-domains',
    permission: 'manage',
    summary: 'Makes new links to blocklists; earlier links stop working',
    parameters: Type.Object({}),
    response: BlocklistsResponse,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }) =>
      onWire(caller.account.id, await escalations.renewBlocklistEdition(caller.account.id)),
  });

  return [getDetectBlocklists, postDetectBlocklistsRenew];
}
