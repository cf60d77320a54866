/**
 * Blocklist formats of other software. A format has a header, the lines of each name and a footer, and no state, so that a list of any length can be
 * streamed.
 */
import type { TlpColour } from '../../stix/tlp-marking.ts';
import { hosts } from './hosts.ts';
import { plain } from './plain.ts';
import { rpz } from './rpz.ts';
import type { ListedName } from './selection.ts';
import { stix } from './stix.ts';
import { suricata } from './suricata.ts';
import { zeek } from './zeek.ts';

export interface BlocklistHead {
  readonly selection: string;
  /** Rises with every change of the list. */
  readonly serial: number;
  readonly ttlSeconds: number;
  /** For formats that say whose list it is. */
  readonly author: ListAuthor;
}

export interface ListAuthor {
  readonly accountId: string;
  readonly accountName: string;
  readonly marking: TlpColour;
}

export interface NameContext {
  /** Leads to what is known about the name. */
  readonly pageUrl: string | undefined;
  readonly list: BlocklistHead;
}

export interface BlocklistFormat {
  /** Of the file, after the name of the selection. */
  readonly extension: string;
  readonly contentType: string;
  readonly description: string;
  readonly head: (list: BlocklistHead) => string;
  /** For a name that `isWritable`. */
  readonly lines: (listed: ListedName, context: NameContext) => string;
  /** After the last name. */
  readonly foot?: string;
}

export const blocklistFormats = { rpz, hosts, plain, suricata, zeek, stix } as const satisfies Record<
  string,
  BlocklistFormat
>;

export type BlocklistFormatName = keyof typeof blocklistFormats;

export const blocklistFormatNames = Object.keys(blocklistFormats) as readonly BlocklistFormatName[];

export function blocklistFileName(selection: string, format: BlocklistFormatName): string {
  return `${selection}.${blocklistFormats[format].extension}`;
}

/** Leaves room for `*.` and for the zone that a resolver appends. */
const charactersMax = 200;
const writableForm = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;

/** Letters, digits, hyphens and underscores need no escaping in any format. Names with other characters are left out. */
export function isWritable(name: string): boolean {
  return name.length <= charactersMax && writableForm.test(name);
}
