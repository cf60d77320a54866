/** Enrich: the records of up to a hundred domains, without a search. GET and POST are the same operation. */
import { type Static, Type } from 'typebox';
import type { RequestedDomain } from '../../../model/record/requested-domains.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { enrich, getRequestedDomains } from '../../../product/enrich/enrich.ts';
import { tagReader } from '../../../product/investigate/tags.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../operation/define-operation.ts';
import { DomainList } from '../records/domain-list.ts';
import { recordSchema } from '../records/record-schema.ts';
import { recordsOnWire } from '../records/record-wire.ts';
import { type ScreenshotNeeds, screenshotFinder } from '../records/screenshot-wire.ts';

export interface EnrichNeeds extends ScreenshotNeeds {
  readonly domains: Pick<DomainStore, 'findRecords' | 'tagsOf'>;
  readonly settings: Settings;
  /** Where clients reach this server, mount prefix included. */
  readonly serverUrl: () => string;
}

const parameters = Type.Object({
  domain: DomainList,
  parsed_whois: Type.Optional(Type.Boolean({ description: 'adds the parsed WHOIS record' })),
  parsed_domain_rdap: Type.Optional(Type.Boolean({ description: 'adds the parsed RDAP record' })),
  screenshots: Type.Optional(Type.Boolean({ description: 'adds the latest screenshot, if there is one' })),
});

const EnrichResponse = Type.Object({
  response: Type.Object({
    limit_exceeded: Type.Boolean(),
    message: Type.String(),
    results_count: Type.Integer(),
    results: Type.Array(recordSchema('bare')),
    missing_domains: Type.Array(Type.String({ description: 'as written in the request' })),
  }),
});

export function enrichOperations(needs: EnrichNeeds): readonly Operation[] {
  const namesMax = needs.settings.limits.investigate.domainsMax;
  const methods = [
    ['getIntelEnrich', 'GET'],
    ['postIntelEnrich', 'POST'],
  ] as const;
  return methods.map(([id, method]) =>
    defineOperation({
      id,
      family: families.enrich,
      route: `${method} /intel-enrich/`,
      product: 'intel-enrich',
      permission: 'read',
      summary: 'Records of domains',
      description: `Up to ${namesMax} domains; those that are not known are listed in \`missing_domains\`.`,
      parameters,
      response: EnrichResponse,
      parse: (context) => getRequestedDomains(context.parameters.domain, namesMax),
      handle: (context, requested) => enrichDomains(context, requested, needs),
    }),
  );
}

async function enrichDomains(
  { caller, parameters: options, nowMs }: OperationContext<Static<typeof parameters>>,
  requested: readonly RequestedDomain[],
  needs: EnrichNeeds,
): Promise<Static<typeof EnrichResponse>> {
  const { domains, serverUrl } = needs;
  const { records, missing } = await enrich(requested, { domains });
  const view = {
    wrapping: 'bare',
    parsedWhois: options.parsed_whois ?? false,
    parsedRdap: options.parsed_domain_rdap ?? false,
    findScreenshots: options.screenshots ? screenshotFinder(needs) : undefined,
    viewer: tagReader(caller, nowMs),
    serverUrl: serverUrl(),
  } as const;
  const results = await recordsOnWire(
    records.map((record) => ({ record, counts: {} })),
    view,
    domains,
  );
  return {
    response: {
      limit_exceeded: false,
      message: 'Enjoy your data.',
      results_count: results.length,
      results: [...results],
      missing_domains: [...missing],
    },
  };
}
