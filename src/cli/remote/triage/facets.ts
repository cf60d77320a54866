/** What a list of Triage can be narrowed down by, as in the drawer of the web UI, and how a request says it. */
import type { Query } from '../../../client/nameglass-client.ts';
import { type FacetAttribute, facetAttributes } from '../../../model/triage/triage-facets.ts';

export type FacetName = FacetAttribute | 'risk' | 'mx' | 'resolved';

export interface FacetValue {
  readonly value: string;
  readonly label: string;
  /** How many domains of the list have it, where that is counted. */
  readonly domains?: number;
  readonly averageRisk?: number | null;
}

/** One value of each. */
export type ChosenFacets = Readonly<Partial<Record<FacetName, FacetValue>>>;

interface Facet {
  readonly title: string;
  /** As a condition: `registrar Example, Inc.` */
  readonly condition: string;
  readonly parameter: string;
  /** Where they are not those of the list. */
  readonly values?: readonly FacetValue[];
}

const yesOrNo = (yes: string, no: string): readonly FacetValue[] => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
];

/** In the order of the screen. */
export const facets: Readonly<Record<FacetName, Facet>> = {
  class: { title: 'Why matched', condition: 'matched by', parameter: 'classes[]' },
  risk: {
    title: 'Risk',
    condition: 'risk',
    parameter: 'risk_score_ranges[]',
    values: [
      { value: '100-100', label: 'Known bad' },
      { value: '70-99', label: 'High' },
      { value: '40-69', label: 'Medium' },
      { value: '1-39', label: 'Low' },
      { value: 'none', label: 'Not scored' },
    ],
  },
  mx: {
    title: 'Mail',
    condition: 'mail:',
    parameter: 'mx_exists',
    values: yesOrNo('Takes mail', 'Takes no mail'),
  },
  resolved: {
    title: 'Sightings',
    condition: 'sightings:',
    parameter: 'resolved_by_us',
    values: yesOrNo('Resolved by us', 'Not resolved by us'),
  },
  monitor: { title: 'Monitor', condition: 'monitor', parameter: 'monitor_id' },
  registrar: { title: 'Registrar', condition: 'registrar', parameter: 'registrars[]' },
  name_server: { title: 'Name server', condition: 'name server', parameter: 'name_servers[]' },
  ip: { title: 'Address', condition: 'address', parameter: 'ips[]' },
  country: { title: 'Country', condition: 'country', parameter: 'countries[]' },
  tld: { title: 'Suffix', condition: 'suffix', parameter: 'tlds[]' },
  picture: { title: 'Like pictures', condition: 'picture', parameter: 'pictures[]' },
};

const names = Object.keys(facets) as FacetName[];

/** A value replaces what the command line says of the same attribute, so only what lies within that is offered. */
export function offeredFacets(commandLine: Query): readonly FacetName[] {
  return names.filter((name) => name === 'tld' || commandLine[facets[name].parameter] === undefined);
}

export function facetQuery(chosen: ChosenFacets): Query {
  return Object.fromEntries(chosenNames(chosen).map((name) => [facets[name].parameter, chosen[name]?.value]));
}

export function conditionsOf(chosen: ChosenFacets): readonly string[] {
  return chosenNames(chosen).map((name) => `${facets[name].condition} ${chosen[name]?.label ?? ''}`);
}

const chosenNames = (chosen: ChosenFacets) => names.filter((name) => chosen[name] !== undefined);

export function isCounted(name: FacetName): name is FacetAttribute {
  return facetAttributes.some((attribute) => attribute === name);
}
