/** The contact address of a zone, from the RNAME of its SOA record (RFC 1035, 3.3.13): the first label is the mailbox. */
import { normaliseText } from '../../../model/record/normalise-text.ts';

const firstLabel = /^(?:[^.\\]|\\\d{3}|\\\D)*/;
const mailbox = /^[\x21-\x3f\x41-\x7e]{1,64}$/;

/** `rname` is in presentation format, where a dot in the mailbox is escaped. Undefined where it is not an address. */
export function findSoaEmail(rname: string): string | undefined {
  const label = firstLabel.exec(rname)?.[0] ?? '';
  const above = rname.slice(label.length + 1);
  const local = unescaped(label);
  // Many zones contain the address itself, with its @.
  const [box = '', host = '', ...more] = local.includes('@')
    ? `${local}.${above}`.split('@')
    : [local, above];
  const form = normaliseText('host', host);
  if (more.length > 0 || !mailbox.test(box) || !('text' in form) || form.text === '') return undefined;
  return `${box}@${form.text}`.toLowerCase();
}

function unescaped(label: string): string {
  return label.replaceAll(/\\(\d{3}|\D)/g, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
  );
}
