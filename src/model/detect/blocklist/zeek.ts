/** For Zeek's intelligence framework: tab-separated columns under a header line; `-` where there is no value. */
import type { BlocklistFormat } from './format.ts';
import type { ListingReason } from './selection.ts';

export const zeek: BlocklistFormat = {
  extension: 'intel',
  contentType: 'text/plain; charset=utf-8',
  description: 'Zeek intelligence file',
  head: () => `#fields\t${columns.join('\t')}\n`,
  lines({ name, kind, reason }, { pageUrl }) {
    if (kind === 'passed') return '';
    return `${[name, 'Intel::DOMAIN', 'nameglass', descriptionOf(reason), pageUrl ?? '-'].join('\t')}\n`;
  },
};

const columns = ['indicator', 'indicator_type', 'meta.source', 'meta.desc', 'meta.url'];

function descriptionOf({ source, riskScore, terms = [], tag = '' }: ListingReason): string {
  const why = source === 'tagged' ? `tagged ${tag}` : source === 'new' ? 'new lookalike' : 'blocked';
  const resembled = terms.length > 0 ? [`resembles ${terms.join(', ')}`] : [];
  const risk = riskScore === undefined ? [] : [`risk ${riskScore}`];
  return inOneColumn([why, ...resembled, ...risk].join('; '));
}

/** People choose terms and tags: nothing in them may end the column or the line. */
function inOneColumn(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?');
}
