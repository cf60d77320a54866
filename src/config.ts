/**
 * The only reader of the environment and of settings files. The sources of a value, in ascending precedence: the default of the schema,
 * the demonstration, the YAML file, a `NAMEGLASS_*` environment variable, a flag. Each value keeps its origin, which `nameglass config`
 * prints. An unknown key or a wrong type is an error of one line that names the key.
 */
import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { parse as parseYaml } from 'yaml';
import { type SettingLeaf, type Settings, settingLeaves } from './model/settings/settings.ts';

/** An error in the configuration: printed as one line, without a stack trace. */
export class ConfigError extends Error {
  /** An error on the command line is bad usage (exit code 2); an error in a file or the environment is not. */
  readonly fromFlag: boolean;

  constructor(message: string, where: string, cause?: unknown) {
    super(message, { cause });
    this.fromFlag = where.startsWith('flag ');
  }
}

/** A setting with its effective value. */
export interface EffectiveSetting {
  readonly key: string;
  readonly value: unknown;
  /** "default", "file nameglass.yaml", "environment NAMEGLASS_HTTP_PORT", "flag --port". */
  readonly origin: string;
  readonly description: string;
  readonly secret: boolean;
}

export interface Config {
  readonly settings: Settings;
  readonly effective: readonly EffectiveSetting[];
}

export interface ConfigSources {
  /** Text by key, from the simulated Internet of the demonstration. */
  readonly world?: Readonly<Record<string, string>> | undefined;
  /** Path of a YAML file. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text by key: `{ 'http.port': { flag: '--port', text: '9000' } }`. */
  readonly flags: Readonly<Record<string, { readonly flag: string; readonly text: string }>>;
}

type Given = Map<string, { value: unknown; origin: string }>;

/** The environment variable of a key: `http.requestTimeoutSeconds` → `NAMEGLASS_HTTP_REQUEST_TIMEOUT_SECONDS`. */
export function environmentName(key: string): string {
  return `NAMEGLASS_${key.replaceAll('.', '_').replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')}`.toUpperCase();
}

export interface SettingDescription {
  readonly key: string;
  /** In words: `integer from 0 to 65535`, `true or false`, `list of strings`. */
  readonly type: string;
  readonly default: unknown;
  readonly environment: string;
  readonly description: string;
}

/** Every setting, in the order of the schema. */
export function describeSettings(): readonly SettingDescription[] {
  return settingLeaves.map((leaf) => ({
    key: leaf.key,
    type: typeInWords(leaf),
    default: leaf.schema.default,
    environment: environmentName(leaf.key),
    description: leaf.schema.description,
  }));
}

export function readConfig(sources: ConfigSources): Config {
  const given: Given = new Map();
  for (const [key, text] of Object.entries(sources.world ?? {})) {
    given.set(key, {
      value: fromText(leafOf(key, 'the demonstration'), text, 'the demonstration'),
      origin: 'the demonstration',
    });
  }
  const file = sources.file ?? (sources.environment[fileVariable] || undefined);
  if (file !== undefined) readFile(file, given);
  readEnvironment(sources.environment, given);
  for (const [key, { flag, text }] of Object.entries(sources.flags)) {
    const leaf = leafOf(key, `flag ${flag}`);
    given.set(key, { value: fromText(leaf, text, `flag ${flag}`), origin: `flag ${flag}` });
  }
  const effective = settingLeaves.map((leaf): EffectiveSetting => {
    const { value, origin } = given.get(leaf.key) ?? { value: leaf.schema.default, origin: 'default' };
    return {
      key: leaf.key,
      value,
      origin,
      description: leaf.schema.description,
      secret: leaf.schema.secret === true,
    };
  });
  return { settings: assemble(effective), effective };
}

/** Where a setting has its default, the value of a running server in its place. Values that this version does not know are left out. */
export function startFrom(
  { effective }: Config,
  values: Readonly<Record<string, unknown>>,
  origin: string,
): Config {
  const known = new Map(settingLeaves.map((leaf) => [leaf.key, leaf]));
  const started = effective.map((setting): EffectiveSetting => {
    const { [setting.key]: value } = values;
    const leaf = known.get(setting.key);
    const isUsed =
      setting.origin === 'default' && value !== undefined && leaf && Value.Check(leaf.schema, value);
    return isUsed ? { ...setting, value, origin } : setting;
  });
  return { settings: assemble(started), effective: started };
}

function readFile(file: string, given: Given): void {
  const name = `file ${file}`;
  let document: unknown;
  try {
    document = parseYaml(readFileSync(file, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    throw new ConfigError(`${name} cannot be read: ${firstLine(error)}`, name, error);
  }
  if (document === null || document === undefined) return;
  for (const [key, value] of entriesOf(document, '', name)) {
    given.set(key, { value: checked(leafOf(key, name), value, name), origin: name });
  }
}

/** The settings of a parsed file by their dotted keys; descends only into groups of the schema. */
function* entriesOf(node: unknown, path: string, name: string): Generator<[string, unknown]> {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    throw new ConfigError(`"${path || 'the document'}" in ${name} must be a group of settings`, name);
  }
  for (const [word, value] of Object.entries(node)) {
    const key = path ? `${path}.${word}` : word;
    if (settingLeaves.some((leaf) => leaf.key.startsWith(`${key}.`)))
      yield* entriesOf(value ?? {}, key, name);
    else yield [key, value];
  }
}

/** The settings file of commands without `--config`, for packages that keep it at a path of their own. */
const fileVariable = 'NAMEGLASS_CONFIG';

/** Which are no settings: most are of the commands that talk to a server elsewhere. */
const otherVariables = new Set([
  fileVariable,
  'NAMEGLASS_SERVER',
  'NAMEGLASS_PROFILE',
  'NAMEGLASS_USERNAME',
  'NAMEGLASS_API_KEY',
]);

function readEnvironment(environment: ConfigSources['environment'], given: Given): void {
  const byName = new Map(settingLeaves.map((leaf) => [environmentName(leaf.key), leaf]));
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('NAMEGLASS_') || otherVariables.has(variable) || text === undefined) continue;
    const leaf = byName.get(variable);
    if (!leaf) {
      const message = `unknown setting ${variable} in the environment${hint(variable, [...byName.keys()])}`;
      throw new ConfigError(message, 'environment');
    }
    given.set(leaf.key, {
      value: fromText(leaf, text, `environment ${variable}`),
      origin: `environment ${variable}`,
    });
  }
}

function leafOf(key: string, where: string): SettingLeaf {
  const leaf = settingLeaves.find((one) => one.key === key);
  if (leaf) return leaf;
  const known = settingLeaves.map((one) => one.key);
  throw new ConfigError(`unknown key ${JSON.stringify(key)} in ${where}${hint(key, known)}`, where);
}

const booleans: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** Parses the text of an environment variable or a flag. Lists are separated by commas or spaces; maps, and lists in brackets, are YAML or JSON. */
function fromText(leaf: SettingLeaf, text: string, where: string): unknown {
  const { type } = leaf.schema as { type?: string };
  if (type === 'array' && text.trimStart().startsWith('[')) return checked(leaf, parsed(text), where);
  if (type === 'array') return checked(leaf, text.split(/[\s,]+/).filter(Boolean), where);
  if (type === 'object') return checked(leaf, parsed(text), where);
  if (type === 'integer') return checked(leaf, /^-?\d{1,15}$/.test(text) ? Number(text) : text, where);
  if (type === 'boolean') return checked(leaf, Object.hasOwn(booleans, text) ? booleans[text] : text, where);
  return checked(leaf, text, where);
}

/** Text that is not valid YAML stays text, which then fails the check for a map or list. */
function parsed(text: string): unknown {
  try {
    return parseYaml(text, { logLevel: 'error' });
  } catch {
    return text;
  }
}

function checked(leaf: SettingLeaf, value: unknown, where: string): unknown {
  if (Value.Check(leaf.schema, value)) return value;
  const got = leaf.schema.secret ? '' : `, not ${truncated(value)}`;
  throw new ConfigError(`"${leaf.key}" in ${where} ${expectation(leaf)}${got}`, where);
}

function truncated(value: unknown): string {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text !== undefined && text.length > 60 ? `${text.slice(0, 60)}…` : `${text}`;
  } catch {
    return 'a value that contains itself';
  }
}

interface LeafSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly { readonly const: string }[];
  readonly items?: { readonly type?: string; readonly anyOf?: readonly { readonly const: string }[] };
}

function typeInWords(leaf: SettingLeaf): string {
  const { type, minimum, maximum, anyOf, items } = leaf.schema as LeafSchema;
  const words = (anyOf ?? items?.anyOf)?.map((one) => one.const).join(', ');
  if (words) return `${anyOf ? 'one' : 'list'} of ${words}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'integer')
    return maximum === Number.MAX_SAFE_INTEGER
      ? `integer, ${minimum} or more`
      : `integer from ${minimum} to ${maximum}`;
  if (type === 'array') return items?.type === 'object' ? 'list of maps' : 'list of strings';
  return type === 'object' ? 'map' : 'string';
}

function expectation(leaf: SettingLeaf): string {
  const { type, anyOf, items } = leaf.schema as LeafSchema;
  const expected = typeInWords(leaf)
    .replace(/^(?=integer)/, 'an ')
    .replace(/^(?=list|map|string)/, 'a ');
  const isExact = type === 'boolean' || type === 'integer' || (anyOf ?? items?.anyOf) !== undefined;
  return isExact ? `must be ${expected}` : `must be ${expected}: ${leaf.schema.description}`;
}

/** Suggests the key that was probably meant. */
function hint(wrong: string, known: readonly string[]): string {
  const last = (key: string) => key.split(/[._]/).at(-1)?.toLowerCase() ?? '';
  const near =
    known.find((key) => key.toLowerCase() === wrong.toLowerCase()) ??
    known.find((key) => last(key) === last(wrong));
  return near ? `; did you mean ${near}?` : '; `nameglass config` lists all keys';
}

function assemble(effective: readonly EffectiveSetting[]): Settings {
  const settings: Record<string, unknown> = {};
  for (const { key, value } of effective) {
    const words = key.split('.');
    const name = words.pop() as string;
    let group = settings;
    for (const word of words) group = (group[word] ??= {}) as Record<string, unknown>;
    group[name] = value;
  }
  return settings as Settings;
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';
}
