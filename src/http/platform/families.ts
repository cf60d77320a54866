/** The families of the platform API, one folder each, and what the operations of a family have in common on the wire. */
import { type Format, formats } from './operation/formats.ts';
import type { InvalidCode } from './operation/parameters.ts';

export interface Family {
  /** Section of the OpenAPI description. */
  readonly tag:
    | 'Account'
    | 'Detect'
    | 'Campaigns'
    | 'Enrich'
    | 'Investigate'
    | 'Evidence'
    | 'Feeds'
    | 'Batch';
  /** Content type of JSON responses, errors included, to the letter. */
  readonly jsonContentType: string;
  /** More than one: operations have the parameter `format`. */
  readonly formats: readonly Format[];
  /** Problem code of a parameter that cannot be read as its declared type. */
  readonly errorCode: InvalidCode;
}

/** Also for errors at paths that no family has. */
export const defaultJsonContentType = 'application/json;charset=utf-8';

const jsonOnly = {
  jsonContentType: defaultJsonContentType,
  formats: ['json'],
  errorCode: 'invalid-parameters',
} as const;

const allFormats = { ...jsonOnly, formats } as const;

export const families = {
  account: { tag: 'Account', ...allFormats },
  detect: { tag: 'Detect', ...jsonOnly, jsonContentType: 'application/json' },
  campaign: { tag: 'Campaigns', ...jsonOnly, jsonContentType: 'application/json' },
  enrich: { tag: 'Enrich', ...allFormats },
  risk: { tag: 'Enrich', ...allFormats },
  investigate: { tag: 'Investigate', ...allFormats },
  evidence: { tag: 'Evidence', ...jsonOnly },
  feed: { tag: 'Feeds', ...jsonOnly, errorCode: 'invalid-members' },
  download: { tag: 'Feeds', ...jsonOnly },
  ingest: { tag: 'Batch', ...jsonOnly },
} as const satisfies Readonly<Record<string, Family>>;
