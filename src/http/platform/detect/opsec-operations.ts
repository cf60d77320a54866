/** OPSEC, beyond the contract: what was asked of a domain, and which domains are collected passively alone. */
import { type Static, Type } from 'typebox';
import { type OutgoingRequest, requestsPerDomainMax } from '../../../model/opsec/outgoing-request.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { findRegistrableDomain } from '../../../model/registrable-domain.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { getNameListChange } from '../../../product/detect/name-list-change.ts';
import {
  changePassiveDomains,
  listPassiveDomains,
  type PassiveDomainNeeds,
} from '../../../product/detect/passive-domains.ts';
import { getScoredDomain } from '../../../product/risk/assess.ts';
import type { OpsecStore, PassiveDomain } from '../../../store/detect/opsec-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';
import { nameOnWire, timeOnWire } from './detect-wire.ts';

export interface OpsecOperationNeeds extends PassiveDomainNeeds {
  readonly opsec: PassiveDomainNeeds['opsec'] & Pick<OpsecStore, 'listRequests' | 'isPassive'>;
  readonly settings: Settings;
}

const namesMax = 1000;
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const Request = Type.Object({
  date: Type.String(),
  collector: Type.String({ description: 'dns, rdap, whois, tls, web or screenshot' }),
  protocol: Type.String({ description: 'dns, http, https or tcp' }),
  host: Type.String({
    description: 'whom it was meant for, or the name that DNS was asked about; redirects choose it, too',
  }),
  address: NullableText,
  port: Type.Integer(),
  source: NullableText,
  outcome: Type.String({ description: 'answered, connected, a status of HTTP, or why it failed' }),
});

const Requests = Type.Object({
  domain: Type.String({ description: 'the registrable domain, punycode' }),
  passive_only: Type.Boolean({ description: 'whether nothing is asked of its servers now' }),
  count: Type.Integer(),
  requests: Type.Array(Request, { description: 'newest first' }),
});

const PassiveDomains = Type.Object(
  {
    count: Type.Integer(),
    passive_domains: Type.Array(
      Type.Object({ domain: Type.String(), set_by: Type.String(), set_date: Type.String() }),
    ),
  },
  { title: 'PassiveDomains' },
);

const Names = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: namesMax,
    commas: true,
    description: 'registrable domains, also as one text separated by commas',
  }),
);

export function opsecOperations(needs: OpsecOperationNeeds): readonly Operation[] {
  const { opsec, settings } = needs;
  const getDetectRequests = defineOperation({
    id: 'getDetectRequests',
    family: families.detect,
    route: 'GET /intel-detect/requests/',
    product: 'intel-detect-watched-domains',
    permission: 'read',
    summary: 'What was asked of a domain, of whom, from where and when',
    parameters: Type.Object({
      domain: Type.String({ description: 'a domain, or a host name below it, in Unicode or punycode' }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: requestsPerDomainMax, default: requestsPerDomainMax }),
      ),
    }),
    response: Requests,
    parse: ({ parameters }) => getScoredDomain('domain', parameters.domain),
    charge: (context) => generalCharge(context, settings),
    handle: async ({ parameters: { limit = requestsPerDomainMax } }, domain) => {
      const requests = await opsec.listRequests(domain, limit);
      return {
        domain,
        passive_only: await opsec.isPassive(domain),
        count: requests.length,
        requests: requests.map(requestOnWire),
      };
    },
  });

  const getDetectPassiveDomains = defineOperation({
    id: 'getDetectPassiveDomains',
    family: families.detect,
    route: 'GET /intel-detect/passive-domains/',
    product: 'intel-detect-monitors',
    permission: 'read',
    summary: 'Lists domains of whose servers nothing is asked',
    parameters: Type.Object({}),
    response: PassiveDomains,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }) => passiveOnWire(await listPassiveDomains(caller, needs)),
  });

  const postDetectPassiveDomains = defineOperation({
    id: 'postDetectPassiveDomains',
    family: families.detect,
    route: 'POST /intel-detect/passive-domains/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    summary: 'Adds and removes domains of whose servers nothing is asked',
    parameters: Type.Object({ add: Names, remove: Names }),
    response: PassiveDomains,
    parse: ({ parameters: { add = [], remove = [] } }) => {
      const change = getNameListChange(add, remove);
      const below = change.add.find((name) => findRegistrableDomain(name) !== name);
      if (below === undefined) return change;
      throw fieldProblem('invalid-parameters', 'add', `must not have ${below}, which nobody can register`);
    },
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, nowMs }, change) =>
      passiveOnWire(await changePassiveDomains(caller, change, needs, nowMs)),
  });

  return [getDetectRequests, getDetectPassiveDomains, postDetectPassiveDomains];
}

export function requestOnWire(request: OutgoingRequest): Static<typeof Request> {
  const { collector, protocol, host, address, port, source, atMs, outcome } = request;
  return {
    date: timeOnWire(atMs),
    collector,
    protocol,
    host,
    address: address ?? null,
    port,
    source: source ?? null,
    outcome,
  };
}

function passiveOnWire(domains: readonly PassiveDomain[]): Static<typeof PassiveDomains> {
  return {
    count: domains.length,
    passive_domains: domains.map(({ domain, by, atMs }) => ({
      domain: nameOnWire(domain),
      set_by: by,
      set_date: timeOnWire(atMs),
    })),
  };
}
