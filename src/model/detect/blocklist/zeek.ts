/** For Zeek's intelligence framework: columns with tabs between them, under a line that names them. */
import type { BlocklistFormat } from './format.ts';

export const zeek: BlocklistFormat = {
  fileName: 'blocked.intel',
  contentType: 'text/plain; charset=utf-8',
  description: 'Zeek intelligence file',
  head: () => '#fields\tindicator\tindicator_type\tmeta.source\n',
  lines: (name) => `${name}\tIntel::DOMAIN\tnameglass\n`,
};
