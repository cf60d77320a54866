/** One name per line and nothing else, for firewalls, proxies and scripts. */
import type { BlocklistFormat } from './format.ts';

export const plain: BlocklistFormat = {
  extension: 'txt',
  contentType: 'text/plain; charset=utf-8',
  description: 'one name a line',
  head: () => '',
  lines: ({ name, kind }) => (kind === 'passed' ? '' : `${name}\n`),
};
