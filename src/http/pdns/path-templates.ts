/** The paths that the wildcards of passive DNS stand for, for the API description. `path-segments.ts` parses them. */
import { type TSchema, Type } from 'typebox';
import type { PathTemplate } from '../description/route-description.ts';

const params: Readonly<Record<string, TSchema>> = {
  owner: Type.String({
    description:
      'an owner name; *.example.com: with everything below it, www.example.*: with this prefix, +.example.com: one label below',
  }),
  name: Type.String({ description: 'a name in the data, with the same wildcards as an owner name' }),
  address: Type.String({
    description: 'an address, a prefix such as 192.0.2.0,24 or a range 192.0.2.1-192.0.2.20',
  }),
  hex: Type.String({ description: 'wire format in hex: of a name, or the beginning of data' }),
  rrtype: Type.String({ description: 'a mnemonic or TYPEnnn; ANY: all but DNSSEC, ANY-DNSSEC: these' }),
  bailiwick: Type.String({ description: 'the zone in which the record was observed' }),
  pattern: Type.String({ description: 'a regular expression or glob, case-insensitive' }),
  value: Type.String({ description: 'a domain name or an address' }),
};

/** Path, and what the operation is called after its verb. */
const rows: readonly (readonly [path: string, name: string])[] = [
  ['rrset/name/{owner}', 'RrsetName'],
  ['rrset/name/{owner}/{rrtype}', 'RrsetNameType'],
  ['rrset/name/{owner}/{rrtype}/{bailiwick}', 'RrsetNameTypeBailiwick'],
  ['rrset/raw/{hex}', 'RrsetRaw'],
  ['rrset/raw/{hex}/{rrtype}', 'RrsetRawType'],
  ['rdata/name/{name}', 'RdataName'],
  ['rdata/name/{name}/{rrtype}', 'RdataNameType'],
  ['rdata/ip/{address}', 'RdataIp'],
  ['rdata/ip/{address}/{rrtype}', 'RdataIpType'],
  ['rdata/raw/{hex}', 'RdataRaw'],
  ['rdata/raw/{hex}/{rrtype}', 'RdataRawType'],
];

const patterns: readonly (readonly [path: string, name: string])[] = [
  ['rrnames/{pattern}', 'Names'],
  ['rrnames/{pattern}/{rrtype}', 'NamesType'],
  ['rdata/{pattern}', 'Rdata'],
  ['rdata/{pattern}/{rrtype}', 'RdataType'],
];

/** `version`: what the operation ids end with. */
export function rowTemplates(verb: string, version = ''): readonly PathTemplate[] {
  return rows.map(([path, name]) => template(path, `${verb}${name}${version}`));
}

export function patternTemplates(verb: string): readonly PathTemplate[] {
  return patterns.map(([path, name]) => template(path, verb + name));
}

export const cofTemplates: readonly PathTemplate[] = [template('{value}', 'queryCof')];

function template(path: string, operationId: string): PathTemplate {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return {
    path,
    operationId,
    params: Object.fromEntries(names.map((name) => [name, params[name] as TSchema])),
  };
}
