/**
 * Blocklist formats of other software. A format has a header and the lines of each name, and no state, so that a list of any length can be
 * streamed.
 */
import { hosts } from './hosts.ts';
import { plain } from './plain.ts';
import { rpz } from './rpz.ts';
import { suricata } from './suricata.ts';
import { zeek } from './zeek.ts';

export interface BlocklistHead {
  /** Rises with every change of the list. */
  readonly version: number;
  readonly ttlSeconds: number;
}

export interface BlocklistFormat {
  readonly fileName: string;
  readonly contentType: string;
  readonly description: string;
  readonly head: (list: BlocklistHead) => string;
  /** For a name that `isWritable`. */
  readonly lines: (name: string) => string;
}

export const blocklistFormats = { rpz, hosts, plain, suricata, zeek } satisfies Record<
  string,
  BlocklistFormat
>;

export type BlocklistFormatName = keyof typeof blocklistFormats;

export const blocklistFormatNames = Object.keys(blocklistFormats) as readonly BlocklistFormatName[];

/** Leaves room for `*.` and for the zone that a resolver appends. */
const charactersMax = 200;
const writableForm = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/;

/** Letters, digits, hyphens and underscores need no escaping in any format. Names with other characters are left out. */
export function isWritable(name: string): boolean {
  return name.length <= charactersMax && writableForm.test(name);
}
