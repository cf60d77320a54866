/** The line-based import formats, by their name on the command line. */
import { cofReader } from './cof.ts';
import { eveReader } from './eve.ts';
import { nmsgJsonReader } from './nmsg-json.ts';
import type { LineReader } from './rrset-format.ts';
import { zeekReader } from './zeek.ts';
import { type ZoneOptions, zoneReader } from './zone.ts';

export type LineFormat = 'cof' | 'nmsg-json' | 'zeek' | 'eve' | 'zone';

/** The options are for zone files; other formats contain their times and names. */
export const lineFormats: Readonly<Record<LineFormat, (options: ZoneOptions) => LineReader>> = {
  cof: cofReader,
  'nmsg-json': nmsgJsonReader,
  zeek: zeekReader,
  eve: eveReader,
  zone: zoneReader,
};
