/** The response formats of account, Enrich and Investigate. XML and HTML are derived from the JSON value. */
import { escapeHtml } from '../../../model/escape-html.ts';
import { htmlPage } from '../../html-page.ts';

export const formats = ['json', 'xml', 'html'] as const;

export type Format = (typeof formats)[number];

export const contentTypeOf: Record<Exclude<Format, 'json'>, string> = {
  xml: 'text/xml;charset=utf-8',
  html: 'text/html;charset=utf-8',
};

export function render(value: unknown, format: Exclude<Format, 'json'>): string {
  return format === 'xml' ? toXml(value) : toHtml(value);
}

/** The same in chunks, one per result, so that the caller can yield between them; `translate` is applied to each result. */
export function* renderChunks(
  value: unknown,
  format: Exclude<Format, 'json'>,
  translate: (result: unknown) => unknown,
): Generator<string> {
  const { response } = value as { readonly response: { readonly results?: readonly unknown[] } };
  // Render with an empty list of results, then insert the results into it.
  const [opening, closing] = resultsTags[format];
  const whole = render({ response: { ...response, ...(response.results && { results: [] }) } }, format);
  const insertAt = whole.indexOf(opening + closing) + opening.length;
  if (response.results === undefined) yield whole;
  else {
    yield whole.slice(0, insertAt);
    for (const result of response.results) {
      const translated = translate(result);
      yield format === 'xml' ? element('item', translated) : `<li>${definitions(translated)}</li>`;
    }
    yield whole.slice(insertAt);
  }
}

const resultsTags = {
  xml: ['<results>', '</results>'],
  html: ['<dt>results</dt><dd><ol>', '</ol></dd>'],
} as const;

/** Members are elements, an array holds `item` elements, null is an empty element with `nil="true"`. */
function toXml(value: unknown): string {
  const members = Object.entries(value as Record<string, unknown>);
  const inner = members.map(([name, member]) => element(name, member)).join('');
  const root = members.length === 1 ? inner : `<response>${inner}</response>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** A member whose name is not a valid XML name has it in an attribute. */
function element(name: string, value: unknown): string {
  const named = /^[A-Za-z_][\w.-]*$/.test(name);
  const open = named ? name : `member name="${escapeXml(name)}"`;
  const close = named ? name : 'member';
  if (value === null || value === undefined) return `<${open} nil="true"/>`;
  return `<${open}>${content(value)}</${close}>`;
}

function content(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => element('item', item)).join('');
  if (typeof value !== 'object') return escapeXml(String(value));
  return Object.entries(value as object)
    .map(([name, member]) => element(name, member))
    .join('');
}

/** Control characters that XML 1.0 does not allow become U+FFFD; white space is escaped so that parsers do not normalize it. */
function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to replace
  const legal = text.replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd');
  return escapeHtml(legal).replaceAll(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}

function toHtml(value: unknown): string {
  return htmlPage('Nameglass', definitions(value));
}

function definitions(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return `<ol>${value.map((item) => `<li>${definitions(item)}</li>`).join('')}</ol>`;
  if (typeof value !== 'object') return escapeHtml(String(value));
  const rows = Object.entries(value).map(
    ([name, member]) => `<dt>${escapeHtml(name)}</dt><dd>${definitions(member)}</dd>`,
  );
  return `<dl>${rows.join('')}</dl>`;
}
