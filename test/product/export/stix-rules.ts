/**
 * Rules of STIX 2.1 for the objects that we write: those of OASIS's JSON schemas (https://github.com/oasis-open/cti-stix2-json-schemas), and what the
 * text says of identifiers and versions that a schema cannot.
 */

type Value = Readonly<Record<string, unknown>>;

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const required: Readonly<Record<string, readonly string[]>> = {
  identity: ['type', 'spec_version', 'id', 'created', 'modified', 'name'],
  indicator: ['type', 'spec_version', 'id', 'created', 'modified', 'pattern', 'pattern_type', 'valid_from'],
  'domain-name': ['type', 'id', 'value'],
};

const optional: Readonly<Record<string, readonly string[]>> = {
  identity: ['created_by_ref', 'labels', 'confidence', 'description', 'roles', 'identity_class', 'sectors'],
  indicator: [
    'created_by_ref',
    'labels',
    'confidence',
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

/** All that is wrong with a bundle. */
export function stixFaults(bundle: Value): readonly string[] {
  const faults: string[] = [];
  const objects = bundle['objects'] as readonly Value[];
  if (bundle['type'] !== 'bundle') faults.push('the type of a bundle is bundle');
  if (!isId(bundle['id'], 'bundle')) faults.push('the id of a bundle is bundle--UUID');
  if ('spec_version' in bundle) faults.push('a bundle of 2.1 has no spec_version');
  if (!Array.isArray(objects) || objects.length === 0)
    return [...faults, 'objects is a list that is not empty'];
  const ids = new Set(objects.map(({ id }) => id));
  if (ids.size < objects.length) faults.push('an object occurs twice');
  const uuids = new Set([...ids].map((id) => String(id).split('--')[1]));
  if (uuids.size < ids.size) faults.push('objects of different types share a UUID');
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
  if ('created_by_ref' in object)
    rule(
      isId(object['created_by_ref'], 'identity') && ids.has(object['created_by_ref']),
      'created_by_ref is no identity of the bundle',
    );
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
  return faults;
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
