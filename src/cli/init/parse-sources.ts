/** Reads which sources to follow from the short forms that people type. */
import { readdirSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { ListedLog } from '../../collect/sources/certificate-logs/log-list.ts';
import { Problem } from '../../model/problem.ts';
import { type VerdictLabel, verdictLabels } from '../../model/risk/verdict.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { parseList } from './answers.ts';

type ZoneFile = Settings['sources']['zoneFiles'][number];
type NameList = Settings['sources']['nameLists'][number];
type ReputationList = Settings['risk']['lists'][number];

/** Public lists of popular sites that need no more than their name (docs/risk.md). */
const publicLists: Readonly<Record<string, ReputationList>> = {
  majestic: {
    name: 'majestic',
    location: 'https://downloads.majestic.com/majestic_million.csv',
    format: 'csv',
    column: 3,
    label: 'popular',
    everyMinutes: 1440,
  },
  crux: {
    name: 'crux',
    location: 'https://raw.githubusercontent.com/zakird/crux-top-lists/main/data/global/current.csv.gz',
    format: 'csv',
    column: 1,
    label: 'popular',
    everyMinutes: 10_080,
  },
};

function expected(message: string): Problem {
  return new Problem('invalid-parameters', message);
}

/** `all`, `none`, or some of the operators, by the beginning of their names. */
export function chooseLogs(text: string, listed: readonly ListedLog[]): readonly ListedLog[] {
  if (/^none$/i.test(text)) return [];
  if (/^all$/i.test(text)) return listed;
  const wanted = text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const isOf = (name: string) => (log: ListedLog) => log.operator.toLowerCase().startsWith(name);
  const unknown = wanted.find((name) => !listed.some(isOf(name)));
  if (unknown !== undefined || wanted.length === 0)
    throw expected(`no operator is called ${unknown ?? text}; there are ${operatorsOf(listed).join(', ')}`);
  return listed.filter((log) => wanted.some((name) => isOf(name)(log)));
}

export function operatorsOf(logs: readonly ListedLog[]): readonly string[] {
  return [...new Set(logs.map(({ operator }) => operator))];
}

/** `org.zone.gz`, `org.txt.gz`, `org.zone`, `org` and `zone.org` are files of the zone org. */
export function findZoneFiles(directory: string): ZoneFile[] {
  if (directory === '') return [];
  const found = zoneNames(directory).flatMap((file) => {
    const plain = file.toLowerCase().replace(/\.(?:gz|zst)$/, '');
    const zone = /^(?:zone\.)?((?:[a-z0-9-]+\.)*?[a-z0-9-]+)(?:\.(?:zone|txt|db))?$/.exec(plain)?.[1];
    return zone === undefined ? [] : [{ name: zone, zone, location: resolve(directory, file) }];
  });
  if (found.length === 0)
    throw expected(`${directory} has no zone files; they are called as org.zone.gz or org.txt`);
  return [...new Map(found.map((file) => [file.name, file])).values()];
}

function zoneNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch {
    throw expected(`${directory} is not a directory that can be read`);
  }
}

/** Paths and URLs, separated by spaces or commas. */
export function parseNameLists(text: string): NameList[] {
  const names = new Set<string>();
  return parseList(text).map((place) => {
    const location = locationOf(place);
    return { name: unique(nameOf(location), names), location };
  });
}

/** `LABEL=LOCATION`, `LABEL:FORMAT=LOCATION`, `LABEL:csv:COLUMN=LOCATION`, or the name of a public list. */
export function parseReputationLists(text: string): ReputationList[] {
  const names = new Set<string>();
  return parseList(text).map((word) => {
    const list = publicLists[word.toLowerCase()] ?? parseReputationList(word);
    return { ...list, name: unique(list.name, names) };
  });
}

function parseReputationList(word: string): ReputationList {
  const [, label = '', format = '', column = '', place = ''] =
    /^([a-z]+)(?::([a-z]+))?(?::(\d{1,3}))?=(.+)$/.exec(word) ?? [];
  const isLabel = (verdictLabels as readonly string[]).includes(label);
  if (!isLabel || !['', 'plain', 'hosts', 'csv', 'misp'].includes(format))
    throw expected(
      `${word} is neither LABEL=LOCATION (${verdictLabels.join(', ')}) nor one of ${Object.keys(publicLists).join(', ')}`,
    );
  const location = locationOf(place);
  return {
    name: nameOf(location),
    location,
    label: label as VerdictLabel,
    ...(format === '' ? {} : { format: format as NonNullable<ReputationList['format']> }),
    ...(column === '' ? {} : { column: Number(column) }),
  };
}

/** Relative paths would belong to the directory that the server is started in. */
function locationOf(place: string): string {
  if (/^https?:\/\/\S+$/i.test(place)) return place;
  const path = resolve(place);
  if (!statSync(path, { throwIfNoEntry: false })) throw expected(`there is no file ${place}`);
  return path;
}

function nameOf(location: string): string {
  const url = URL.parse(location);
  const text = url && url.host !== '' ? `${url.hostname}-${basename(url.pathname)}` : basename(location);
  const name = text
    .toLowerCase()
    .replaceAll(/\.(?:txt|csv|json|gz|zst|hosts?)(?=\.|$)/g, '')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[.-]+$/g, '');
  return name.slice(0, 56) || 'list';
}

function unique(name: string, names: Set<string>): string {
  let chosen = name;
  for (let number = 2; names.has(chosen); number += 1) chosen = `${name}-${number}`;
  names.add(chosen);
  return chosen;
}
