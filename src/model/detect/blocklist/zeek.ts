/** For Zeek's intelligence framework: tab-separated columns under a header line. */
import type { BlocklistFormat } from './format.ts';

export const zeek: BlocklistFormat = {
  fileName: 'blocked.intel',
  contentType: 'text/plain; charset=utf-8',
  description: 'Zeek intelligence file',
  head: () => '#fields\tindicator\tindicator_type\tmeta.source\n',
  lines: (name) => `${name}\tIntel::DOMAIN\tnameglass\n`,
};
