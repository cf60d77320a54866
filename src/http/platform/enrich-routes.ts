/** Enrich: the records of up to a hundred domains, without searching. GET and POST are the same. */
import { type Static, Type } from 'typebox';
import type { Settings } from '../../model/settings.ts';
import { type AskedName, enrich, readNames } from '../../product/enrich/enrich.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { Asked, Offer } from './offer.ts';
import { recordSchema } from './record-schema.ts';
import { recordsOnWire } from './record-wire.ts';
import { type ScreenshotNeeds, screenshotsOf } from './screenshot-wire.ts';

export interface EnrichNeeds extends ScreenshotNeeds {
  readonly domains: Pick<DomainStore, 'findRecords' | 'tagsOf'>;
  readonly settings: Settings;
  /** Where clients reach this server, mount prefix included. */
  readonly serverUrl: () => string;
}

const parameters = Type.Object({
  domain: Type.String({ description: 'names, separated by commas, in Unicode or punycode' }),
  parsed_whois: Type.Optional(Type.Boolean({ description: 'adds the parsed WHOIS record' })),
  parsed_domain_rdap: Type.Optional(Type.Boolean({ description: 'adds the parsed RDAP record' })),
  screenshots: Type.Optional(Type.Boolean({ description: 'adds the latest screenshot, where there is one' })),
});

const EnrichAnswer = Type.Object({
  response: Type.Object({
    limit_exceeded: Type.Boolean(),
    message: Type.String(),
    results_count: Type.Integer(),
    results: Type.Array(recordSchema('bare')),
    missing_domains: Type.Array(Type.String({ description: 'as asked for' })),
  }),
});

export function enrichRoutes(offer: Offer, needs: EnrichNeeds): void {
  const namesMax = needs.settings.limits.investigate.domainsMax;
  for (const id of ['getIntelEnrich', 'postIntelEnrich'] as const) {
    offer(id, {
      parameters,
      answer: EnrichAnswer,
      understand: (asked) => readNames(asked.parameters.domain, namesMax),
      run: (asked, names) => answer(asked, names, needs),
    });
  }
}

async function answer(
  { caller, parameters: wishes }: Asked<Static<typeof parameters>>,
  names: readonly AskedName[],
  needs: EnrichNeeds,
): Promise<Static<typeof EnrichAnswer>> {
  const { domains, serverUrl } = needs;
  const { records, missing } = await enrich(names, { domains });
  const view = {
    wrapping: 'bare',
    parsedWhois: wishes.parsed_whois ?? false,
    parsedRdap: wishes.parsed_domain_rdap ?? false,
    screenshotsOf: wishes.screenshots ? screenshotsOf(needs) : undefined,
    who: { accountId: caller.account.id, userId: caller.user.id },
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
