/** Content negotiation: the parameter `format` decides, else the header `Accept`. */
import { fieldProblem, Problem } from '../../model/problem.ts';
import { type Parameters, readText } from '../../product/pdns/parameters.ts';

export const ndjson = 'application/x-ndjson';
export const json = 'application/json';
export const csv = 'text/csv';

export type MediaType = typeof ndjson | typeof json | typeof csv;

const formats: Readonly<Record<string, MediaType>> = { ndjson, json, csv };

/** The first offered type that is accepted; the first of all where any is. */
export function acceptedType(accept: string | undefined, offered: readonly MediaType[]): MediaType {
  const [preferred] = offered as readonly [MediaType];
  if (accept === undefined || accept === preferred) return preferred;
  const accepted = accept
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  const named = offered.find((type) => accepted.includes(type));
  if (named) return named;
  if (accepted.includes('*/*')) return preferred;
  const ranged = offered.find((type) => accepted.includes(`${type.split('/')[0]}/*`));
  if (ranged) return ranged;
  throw new Problem('not-acceptable', `Accept must name ${offered.join(' or ')}`);
}

export function negotiateType(
  parameters: Parameters,
  accept: string | undefined,
  offered: readonly MediaType[],
): MediaType {
  const format = readText(parameters, 'format');
  if (format === undefined) return acceptedType(accept, offered);
  const type = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (type && offered.includes(type)) return type;
  const names = Object.keys(formats).filter((name) => offered.includes(formats[name] as MediaType));
  throw fieldProblem('invalid-parameters', 'format', `must be ${names.join(' or ')}`);
}
