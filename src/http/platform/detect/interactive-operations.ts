/**
 * The lists of Detect for people who work with them, as on the command line, beyond the contract: the same parameters and answers as
 * those for programs that poll once an hour, with the general limit per minute.
 */
import { type Static, Type } from 'typebox';
import { type DomainState, domainStates } from '../../../model/detect/watchlist.ts';
import { fieldProblem, Problem } from '../../../model/problem.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';
import { normaliseText } from '../../../model/record/normalise-text.ts';
import { groupReasons } from '../../../model/risk/group-reasons.ts';
import { authorize } from '../../../product/account/authorize.ts';
import { listDomains } from '../../../product/detect/domain-list.ts';
import { getTriageDomain, type TriageDomainNeeds } from '../../../product/detect/lists/triage-domain.ts';
import { getMonitor } from '../../../product/detect/monitors.ts';
import { queryDigest } from '../../../product/detect/query-digest.ts';
import { type AssessNeeds, explain } from '../../../product/risk/assess.ts';
import type { WatchlistStore } from '../../../store/watchlist-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../operation/define-operation.ts';
import { screenshotFinder } from '../records/screenshot-wire.ts';
import { generalCharge } from './charges.ts';
import { DomainList, type DomainOperationNeeds, listOnWire } from './domain-operations.ts';
import { DomainOnWire, domainOnWire } from './domain-wire.ts';
import { type ListParameters, listParameters, readQuery } from './list-parameters.ts';
import { listProducts } from './list-products.ts';

export interface InteractiveOperationNeeds extends DomainOperationNeeds, TriageDomainNeeds, AssessNeeds {
  readonly domains: DomainOperationNeeds['domains'] & AssessNeeds['domains'];
  readonly settings: DomainOperationNeeds['settings'] & AssessNeeds['settings'];
  readonly watchlist: DomainOperationNeeds['watchlist'] & Pick<WatchlistStore, 'findDomainNamed'>;
}

const RiskReason = Type.Object({
  code: Type.String({ description: 'which kind of reason; stable' }),
  reason: Type.String({ description: 'for humans; never contains what a third party wrote' }),
  value: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'what a third party wrote: untrusted text',
  }),
  points: Type.Integer({ description: 'negative: lowers the score' }),
});

export function interactiveOperations(needs: InteractiveOperationNeeds): readonly Operation[] {
  return [watchlistOperation(needs), domainOperation(needs)];
}

function domainOperation(needs: InteractiveOperationNeeds): Operation {
  const { settings } = needs;
  return defineOperation({
    id: 'getDetectDomain',
    family: families.detect,
    route: 'GET /intel-detect/domain/',
    product: 'intel-detect-watched-domains',
    permission: 'read',
    summary: 'One domain of the watchlist, by its name or id',
    parameters: Type.Object({
      domain: Type.Optional(Type.String({ description: 'the name, in Unicode or punycode' })),
      id: Type.Optional(Type.String({ description: 'in place of the name' })),
      include_domain_data: Type.Optional(Type.Boolean({ description: 'adds DNS and registration data' })),
      include_risk_reasons: Type.Optional(Type.Boolean({ description: 'adds the reasons of the score' })),
      screenshots: Type.Optional(
        Type.Boolean({ description: 'adds the latest screenshot, if there is one' }),
      ),
    }),
    response: Type.Object({
      watchlist_domain: DomainOnWire,
      risk_reasons: Type.Optional(Type.Array(RiskReason, { description: 'those that count most first' })),
    }),
    parse: ({ parameters: { domain, id } }) => {
      if ((domain === undefined) === (id === undefined))
        throw fieldProblem('invalid-parameters', 'domain', 'either domain or id is required');
    },
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters, nowMs }) => {
      const { domain: name, id, include_domain_data: withData = false } = parameters;
      const domain =
        id === undefined
          ? await needs.watchlist.findDomainNamed(caller.account.id, nameAsStored(name ?? ''))
          : await getTriageDomain(caller.account, id, needs);
      if (!domain) throw new Problem('not-found', 'There is no such domain on the watchlist.');
      authorize(caller, { product: listProducts[domain.state], permission: 'read' }, nowMs);
      const [record] = withData ? await needs.domains.findRecords([domain.domain]) : [];
      const [screenshot] = parameters.screenshots ? await screenshotFinder(needs)([domain.domain]) : [];
      const view = { data: withData ? { record } : undefined, screenshot };
      const reasons = parameters.include_risk_reasons
        ? { risk_reasons: await reasonsOf(domain.domain, needs, nowMs) }
        : {};
      return { watchlist_domain: domainOnWire(domain, view), ...reasons };
    },
  });
}

async function reasonsOf(
  domain: string,
  needs: AssessNeeds,
  nowMs: number,
): Promise<Static<typeof RiskReason>[]> {
  const [explained] = await explain([domain], needs, nowMs);
  return groupReasons(explained?.contributions ?? []).map(({ code, reason, value, points }) => ({
    code,
    reason,
    value: value ?? null,
    points,
  }));
}

/** In punycode. Text that is not a name is left as it is and matches nothing. */
function nameAsStored(text: string): string {
  const made = normaliseText('host', text.trim());
  return 'text' in made ? made.text : text;
}

function watchlistOperation(needs: DomainOperationNeeds): Operation {
  const { settings } = needs;
  return defineOperation({
    id: 'getDetectWatchlist',
    family: families.detect,
    route: 'GET /intel-detect/watchlist/:state/',
    product: findListProduct,
    permission: 'read',
    summary: 'Lists domains of a watchlist, for people: not bound to once an hour',
    parameters: listParameters(settings),
    response: DomainList,
    parse: async (context) => {
      const { caller, parameters, nowMs } = context;
      const query = readQuery(stateOf(context), parameters, nowMs, settings);
      const { monitor_id } = parameters;
      if (monitor_id !== undefined) await getMonitor(caller.account, monitor_id, needs);
      return query;
    },
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters, nowMs }, query) => {
      const { offset: _offset, ...others } = parameters;
      const paging = {
        username: caller.user.username,
        // Pages of their own: a poll of the same query is not disturbed.
        query: queryDigest({ ...others, limit: query.limit, interactive: query.state }),
        isFirstPage: query.offset === 0,
        rowsMax: settings.limits.detect.offsetMax + query.limit,
        nowMs,
      };
      const withData = parameters.include_domain_data ?? false;
      const page = await listDomains(caller.account, query, { withData, paging }, needs);
      const screenshots = parameters.screenshots
        ? await screenshotFinder(needs)(page.domains.map(({ domain }) => domain))
        : undefined;
      return listOnWire(page, query, screenshots);
    },
  });
}

function findListProduct({ state = '' }: Readonly<Record<string, string>>): ProductId | undefined {
  return Object.hasOwn(listProducts, state) ? listProducts[state as DomainState] : undefined;
}

function stateOf({ request }: Pick<OperationContext<ListParameters>, 'request'>): DomainState {
  const { state = '' } = request.params as { state?: string };
  const found = domainStates.find((each) => each === state);
  if (!found) throw new Problem('not-found', 'There is no such list.');
  return found;
}
