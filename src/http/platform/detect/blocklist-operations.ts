/** The blocklists of an account, beyond the contract: links for resolvers and sensors, which have no keys; what is on each; the allow list. */
import { type Static, Type } from 'typebox';
import type { Caller } from '../../../model/account/account.ts';
import { blocklistFormatNames, blocklistFormats } from '../../../model/detect/blocklist/format.ts';
import { blockedSelection } from '../../../model/detect/blocklist/selection.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { AllowListNeeds } from '../../../product/detect/blocklist/allow-list.ts';
import {
  deleteSelection,
  getSelectionRequest,
  listSelections,
  noSuchSelection,
  putSelection,
  type SelectionNeeds,
} from '../../../product/detect/blocklist/selections.ts';
import type { EscalationStore } from '../../../store/escalation-store.ts';
import type { BlocklistLinks } from '../../files/blocklist-links.ts';
import type { MispFeedLinks } from '../../files/misp-feed-links.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { allowListOperations } from './allow-list-operations.ts';
import {
  rulesOf,
  SelectionListOnWire,
  SelectionOnWire,
  SelectionParameters,
  selectionOnWire,
} from './blocklist-wire.ts';
import { generalCharge } from './charges.ts';

export interface BlocklistOperationNeeds extends Omit<SelectionNeeds, 'blocklists'>, AllowListNeeds {
  readonly blocklists: SelectionNeeds['blocklists'] & AllowListNeeds['blocklists'];
  readonly escalations: Pick<EscalationStore, 'blocklistEdition' | 'renewBlocklistEdition'>;
  readonly blocklistLinks: BlocklistLinks;
  readonly mispFeedLinks: MispFeedLinks;
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
  misp_feed: Type.String({
    description: 'URL of the same list as a MISP feed; without a key too, so keep it as secret as one',
  }),
});

const common = {
  family: families.detect,
  product: 'intel-detect-escalate-domains',
} as const;

export function blocklistOperations(needs: BlocklistOperationNeeds): readonly Operation[] {
  return [...linkOperations(needs), ...selectionOperations(needs), ...allowListOperations(needs)];
}

function linkOperations(needs: BlocklistOperationNeeds): readonly Operation[] {
  const { escalations, blocklists, blocklistLinks, mispFeedLinks, settings } = needs;
  const onWire = (
    accountId: string,
    edition: number,
    selection: string,
  ): Static<typeof BlocklistsResponse> => ({
    blocklists: blocklistFormatNames.map((format) => ({
      format,
      description: blocklistFormats[format].description,
      url: blocklistLinks.make({ accountId, edition, selection, format }),
    })),
    misp_feed: mispFeedLinks.make({ accountId, edition, selection }),
  });

  const getDetectBlocklists = defineOperation({
    ...common,
    id: 'getDetectBlocklists',
    route: 'GET /intel-detect/blocklists/',
    permission: 'read',
    summary: 'Links to a blocklist: the domains escalated as blocked, or those of a selection',
    parameters: Type.Object({
      selection: Type.Optional(Type.String({ description: 'name of a selection; by default blocked' })),
    }),
    response: BlocklistsResponse,
    parse: async ({ caller, parameters: { selection = blockedSelection } }) => {
      const key = { accountId: caller.account.id, selection };
      if (selection !== blockedSelection && !(await blocklists.findSelection(key)))
        throw noSuchSelection(selection);
      return selection;
    },
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }, selection) =>
      onWire(caller.account.id, await escalations.blocklistEdition(caller.account.id), selection),
  });

  const postDetectBlocklistsRenew = defineOperation({
    ...common,
    id: 'postDetectBlocklistsRenew',
    route: 'POST /intel-detect/blocklists/renew/',
    permission: 'manage',
    summary: 'Makes new links to all blocklists; earlier links stop working',
    parameters: Type.Object({}),
    response: BlocklistsResponse,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }) =>
      onWire(caller.account.id, await escalations.renewBlocklistEdition(caller.account.id), blockedSelection),
  });

  return [getDetectBlocklists, postDetectBlocklistsRenew];
}

function selectionOperations(needs: BlocklistOperationNeeds): readonly Operation[] {
  const { settings } = needs;
  const list = async ({ account }: Caller, nowMs: number) => {
    const selections = await listSelections(account.id, needs, nowMs);
    return {
      count: selections.length,
      selections: selections.map((selection) => selectionOnWire(account, selection)),
    };
  };

  const getDetectBlocklistSelections = defineOperation({
    ...common,
    id: 'getDetectBlocklistSelections',
    route: 'GET /intel-detect/blocklists/selections/',
    permission: 'read',
    summary: 'Lists the blocklists of the account and what is on each',
    parameters: Type.Object({}),
    response: SelectionListOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: ({ caller, nowMs }) => list(caller, nowMs),
  });

  const putDetectBlocklistSelection = defineOperation({
    ...common,
    id: 'putDetectBlocklistSelection',
    route: 'PUT /intel-detect/blocklists/selections/',
    permission: 'manage',
    summary: 'Creates a blocklist, or changes what is on it',
    parameters: SelectionParameters,
    response: Type.Object({ selection: SelectionOnWire }),
    parse: ({ caller, parameters }) =>
      getSelectionRequest(caller, { name: parameters.name, rules: rulesOf(parameters) }, needs),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, nowMs }, request) => ({
      selection: selectionOnWire(caller.account, await putSelection(caller, request, needs, nowMs)),
    }),
  });

  const deleteDetectBlocklistSelection = defineOperation({
    ...common,
    id: 'deleteDetectBlocklistSelection',
    route: 'DELETE /intel-detect/blocklists/selections/',
    permission: 'manage',
    summary: 'Deletes a blocklist; its links and its zone stop working',
    parameters: Type.Object({ name: Type.String() }),
    response: SelectionListOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { name }, nowMs }) => {
      await deleteSelection(caller, name, needs, nowMs);
      return list(caller, nowMs);
    },
  });

  return [getDetectBlocklistSelections, putDetectBlocklistSelection, deleteDetectBlocklistSelection];
}
