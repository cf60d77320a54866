/**
 * Rules of STIX 2.1 for the objects that we write: those of OASIS's JSON schemas (https://github.com/oasis-open/cti-stix2-json-schemas), and what the
 * text says of identifiers and versions that a schema cannot.
 */

import { isIP } from 'node:net';

type Value = Readonly<Record<string, unknown>>;

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const required: Readonly<Record<string, readonly string[]>> = {
  identity: ['type', 'spec_version', 'id', 'created', 'modified', 'name'],
  indicator: ['type', 'spec_version', 'id', 'created', 'modified', 'pattern', 'pattern_type', 'valid_from'],
  relationship: [
    'type',
    'spec_version',
    'id',
    'created',
    'modified',
    'relationship_type',
    'source_ref',
    'target_ref',
  ],
  sighting: ['type', 'spec_version', 'id', 'created', 'modified', 'sighting_of_ref'],
  campaign: ['type', 'spec_version', 'id', 'created', 'modified', 'name'],
  grouping: ['type', 'spec_version', 'id', 'created', 'modified', 'context', 'object_refs'],
  'marking-definition': ['type', 'spec_version', 'id', 'created', 'definition_type', 'definition'],
  'domain-name': ['type', 'id', 'value'],
  'ipv4-addr': ['type', 'id', 'value'],
  'ipv6-addr': ['type', 'id', 'value'],
};

const versioned = ['created_by_ref', 'labels', 'confidence', 'object_marking_refs', 'revoked'];

const optional: Readonly<Record<string, readonly string[]>> = {
  identity: [...versioned, 'description', 'roles', 'identity_class', 'sectors'],
  relationship: [...versioned, 'description', 'start_time', 'stop_time'],
  sighting: [
    ...versioned,
    'description',
    'first_seen',
    'last_seen',
    'count',
    'observed_data_refs',
    'where_sighted_refs',
    'summary',
  ],
  campaign: [...versioned, 'description', 'aliases', 'first_seen', 'last_seen', 'objective'],
  grouping: [...versioned, 'name', 'description'],
  'marking-definition': ['created_by_ref', 'name'],
  'ipv4-addr': ['spec_version', 'resolves_to_refs', 'defanged'],
  'ipv6-addr': ['spec_version', 'resolves_to_refs', 'defanged'],
  indicator: [
    ...versioned,
    'name',
    'description',
    'indicator_types',
    'pattern_version',
    'valid_until',
    'kill_chain_phases',
  ],
  'domain-name': ['spec_version', 'resolves_to_refs', 'defanged'],
};

const indicatorTypes = [
  'anomalous-activity',
  'anonymization',
  'benign',
  'compromised',
  'malicious-activity',
  'attribution',
  'unknown',
];

const groupingContexts = ['suspicious-activity', 'malware-analysis', 'unspecified'];

/** All that is wrong with a bundle. */
export function stixFaults(bundle: Value): readonly string[] {
  const faults: string[] = [];
  const objects = bundle['objects'] as readonly Value[];
  if (bundle['type'] !== 'bundle') faults.push('the type of a bundle is bundle');
  if (!isId(bundle['id'], 'bundle')) faults.push('the id of a bundle is bundle--UUID');
  if ('spec_version' in bundle) faults.push('a bundle of 2.1 has no spec_version');
  if (!Array.isArray(objects) || objects.length === 0)
    return [...faults, 'objects is a list that is not empty'];
  if (new Set(objects.map(({ id }) => id)).size < objects.length) faults.push('an object occurs twice');
  return [...faults, ...objectListFaults(objects)];
}

/** All that is wrong with objects that somebody has, of which some may be versions of others. */
export function objectListFaults(objects: readonly Value[]): readonly string[] {
  const faults: string[] = [];
  const ids = new Set(objects.map(({ id }) => id));
  const uuids = new Set([...ids].map((id) => String(id).split('--')[1]));
  if (uuids.size < ids.size) faults.push('objects of different types share a UUID');
  faults.push(...versionFaults(objects));
  for (const object of objects)
    faults.push(...objectFaults(object, ids).map((fault) => `${String(object['id'])} ${fault}`));
  return faults;
}

function isId(id: unknown, type: string): boolean {
  return typeof id === 'string' && new RegExp(`^${type}--${uuid}$`).test(id);
}

function objectFaults(object: Value, ids: ReadonlySet<unknown>): readonly string[] {
  const type = String(object['type']);
  const faults: string[] = [];
  const rule = (holds: boolean, text: string) => {
    if (!holds) faults.push(text);
  };
  rule(type in required, `${type} is no type that we write`);
  for (const name of required[type] ?? []) rule(name in object, `lacks ${name}`);
  for (const [name, value] of Object.entries(object)) {
    rule(/^[a-z0-9_]{3,250}$/.test(name) || name === 'id', `${name} is no name of a property`);
    rule(
      [...(required[type] ?? []), ...(optional[type] ?? [])].includes(name),
      `${type} has no property ${name}`,
    );
    rule(value !== null && value !== undefined, `${name} is null`);
    rule(!Array.isArray(value) || value.length > 0, `the list ${name} is empty`);
  }
  rule(isId(object['id'], type), 'the id is not TYPE--UUID');
  if ('spec_version' in object) rule(object['spec_version'] === '2.1', 'the spec_version is not 2.1');
  for (const name of ['created', 'modified', 'valid_from', 'valid_until'])
    if (name in object) rule(timestamp.test(String(object[name])), `${name} is no timestamp`);
  for (const name of ['created', 'modified'])
    if (name in object) rule(/\.\d{3}Z$/.test(String(object[name])), `${name} is not to the millisecond`);
  if ('modified' in object)
    rule(String(object['modified']) >= String(object['created']), 'modified is earlier than created');
  if ('revoked' in object) rule(object['revoked'] === true, 'revoked is not true, and is there');
  if ('created_by_ref' in object)
    rule(isId(object['created_by_ref'], 'identity'), 'created_by_ref is no identity');
  for (const [name, value] of Object.entries(object)) {
    const refs = name.endsWith('_ref') ? [value] : name.endsWith('_refs') ? (value as unknown[]) : [];
    for (const ref of refs) rule(ids.has(ref), `${name} is not among the objects`);
  }
  if ('confidence' in object) {
    const confidence = object['confidence'] as number;
    rule(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100, 'confidence is not 0 to 100');
  }
  if ('labels' in object)
    rule(
      (object['labels'] as unknown[]).every((label) => typeof label === 'string'),
      'a label is no text',
    );
  if (type === 'indicator') faults.push(...indicatorFaults(object));
  if (type === 'domain-name') faults.push(...domainFaults(object));
  if (type.startsWith('ip'))
    rule(`ipv${isIP(String(object['value']))}-addr` === type, `the value is no ${type}`);
  if (type === 'relationship') faults.push(...relationshipFaults(object));
  if (type === 'campaign')
    rule(String(object['last_seen']) >= String(object['first_seen']), 'last_seen is before first_seen');
  if (type === 'grouping')
    rule(groupingContexts.includes(String(object['context'])), 'the context is not in the vocabulary');
  if (type === 'sighting') {
    rule(String(object['last_seen']) >= String(object['first_seen']), 'last_seen is before first_seen');
    rule(String(object['sighting_of_ref']).startsWith('indicator--'), 'it is a sighting of no indicator');
  }
  return faults;
}

/** The relationships that the standard has for these types. */
function relationshipFaults(object: Value): readonly string[] {
  const [from, to] = ['source_ref', 'target_ref'].map((name) => String(object[name]).split('--')[0]);
  const written = `${from} ${String(object['relationship_type'])} ${to}`;
  const known = [
    'indicator based-on domain-name',
    'indicator indicates campaign',
    'domain-name resolves-to ipv4-addr',
    'domain-name resolves-to ipv6-addr',
  ];
  return known.includes(written) ? [] : [`${written} is no relationship`];
}

/** Versions of an object have one time of creation and one author, none says two things, and a revoked one is the last. */
function versionFaults(objects: readonly Value[]): readonly string[] {
  const byId = Map.groupBy(objects, ({ id }) => String(id));
  return [...byId].flatMap(([id, versions]) => {
    const same = (name: string) => new Set(versions.map((version) => version[name])).size === 1;
    const byTime = versions.toSorted((one, other) =>
      String(one['modified']) < String(other['modified']) ? -1 : 1,
    );
    return [
      ...(same('created') ? [] : [`${id} was created twice`]),
      ...(same('created_by_ref') ? [] : [`${id} has two authors`]),
      ...(new Set(versions.map(({ modified }) => modified)).size === versions.length
        ? []
        : [`${id} has a version twice`]),
      ...(byTime.slice(0, -1).some(({ revoked }) => revoked) ? [`${id} goes on after it was revoked`] : []),
    ];
  });
}

function indicatorFaults(object: Value): readonly string[] {
  const types = (object['indicator_types'] ?? []) as string[];
  return [
    ...(types.every((one) => indicatorTypes.includes(one)) ? [] : ['the type is not in the vocabulary']),
    ...(object['pattern_type'] === 'stix' ? [] : ['the pattern type is not stix']),
    ...(/^\[domain-name:value = '(?:[^'\\]|\\['\\])+'\]$/.test(String(object['pattern']))
      ? []
      : ['the pattern is no comparison of a domain name']),
  ];
}

/** Labels of letters, digits, hyphens and the underscores of real DNS; international ones in punycode. */
function domainFaults(object: Value): readonly string[] {
  const form = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/;
  return form.test(String(object['value'])) ? [] : ['the value is no domain name'];
}
