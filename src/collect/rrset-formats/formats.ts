/** The line-oriented formats that an import reads, by the name they have on the command line. */
import { cofReader } from './cof.ts';
import { eveReader } from './eve.ts';
import { nmsgJsonReader } from './nmsg-json.ts';
import type { LineReader } from './rrset-format.ts';
import { zeekReader } from './zeek.ts';
import { type ZoneOptions, zoneReader } from './zone.ts';

export type LineFormat = 'cof' | 'nmsg-json' | 'zeek' | 'eve' | 'zone';

/** Only zone files need telling when they were seen and what they are about; the others say it themselves. */
export const lineFormats: Readonly<Record<LineFormat, (options: ZoneOptions) => LineReader>> = {
  cof: cofReader,
  'nmsg-json': nmsgJsonReader,
  zeek: zeekReader,
  eve: eveReader,
  zone: zoneReader,
};
