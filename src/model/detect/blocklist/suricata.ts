/** A dataset of type string, which Suricata reads as one base64 value per line, without comments. */
import type { BlocklistFormat } from './format.ts';

export const suricata: BlocklistFormat = {
  extension: 'lst',
  contentType: 'text/plain; charset=utf-8',
  description: 'Suricata dataset of type string',
  head: () => '',
  lines: ({ name, kind }) => (kind === 'passed' ? '' : `${Buffer.from(name).toString('base64')}\n`),
};
