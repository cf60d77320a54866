/** How the lists of Triage are filtered, as in the web UI, with the names that the lists of Detect have for the same. */
import { type Static, Type } from 'typebox';
import { matchClasses } from '../../../../model/lookalike/match.ts';
import { boundsOf, type RiskRange, riskRanges } from '../../../../product/detect/domain-list.ts';
import { type FilterNeeds, filterAsStored } from '../../../../product/detect/lists/triage-filter.ts';
import type { TriageFilter, TriageList } from '../../../../store/triage-store.ts';
import { choices, definedMembers } from '../detect-parameters.ts';

const valuesMax = 100;
const tldsMax = 1000;
/** Each is a search for pictures that look like it. */
const picturesMax = 20;

const texts = (description: string, maxItems = valuesMax) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems, description }));

const PictureHash = Type.String({
  pattern: '^[0-9a-f]{16}$',
  must: 'must be a hash of 16 hexadecimal digits',
});

/** All given conditions must hold; of several values of one, any. */
export const filterParameters = {
  monitor_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'only domains that this monitor matched' }),
  ),
  classes: choices(matchClasses, 'how the name varies a term'),
  tlds: texts('one parameter for each; uk includes co.uk', tldsMax),
  risk_score_ranges: choices([...riskRanges, 'none'], 'inclusive bounds; none: without a score'),
  mx_exists: Type.Optional(Type.Boolean({ description: 'with or without an MX record' })),
  resolved_by_us: Type.Optional(Type.Boolean({ description: 'seen resolved by our own sensors, or not' })),
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'substring of the name, case-insensitive' }),
  ),
  registrars: texts('as in the record'),
  name_servers: texts('a host name, or a domain that has it'),
  ips: texts('an address of the domain'),
  countries: texts('two letters, of an address'),
  pictures: Type.Optional(
    Type.Array(PictureHash, {
      maxItems: picturesMax,
      description: 'hashes of pictures, 16 hexadecimal digits; like pictures have the same',
    }),
  ),
};

const FilterParameters = Type.Object(filterParameters);
type FilterParameters = Static<typeof FilterParameters>;

export function readFilter(
  list: TriageList,
  parameters: FilterParameters & { readonly watchlist_domain_ids?: readonly string[] },
  needs: FilterNeeds,
): Promise<TriageFilter> {
  const { monitor_id: monitor, risk_score_ranges: ranges } = parameters;
  const written = definedMembers({
    monitorIds: monitor === undefined ? undefined : [monitor],
    classes: parameters.classes,
    tlds: parameters.tlds,
    riskRanges: ranges?.filter((range): range is RiskRange => range !== 'none').map(boundsOf),
    isUnscored: ranges?.includes('none'),
    mxExists: parameters.mx_exists,
    resolvedByUs: parameters.resolved_by_us,
    search: parameters.search,
    registrars: parameters.registrars,
    nameServers: parameters.name_servers,
    addresses: parameters.ips,
    countries: parameters.countries,
    pictures: parameters.pictures,
    ids: parameters.watchlist_domain_ids,
  });
  return filterAsStored({ list, ...written }, 'pictures', needs);
}
