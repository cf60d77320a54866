/** The address of whoever answers for a zone, from the name that its SOA record gives: the first label is the mailbox. */
import { inForm } from '../../../model/record/text-forms.ts';

const firstLabel = /^(?:[^.\\]|\\\d{3}|\\\D)*/;
const mailbox = /^[\x21-\x3f\x41-\x7e]{1,64}$/;

/** Takes the presentation form of the name, in which a dot of the mailbox is escaped. Undefined where it is no address. */
export function findSoaEmail(rname: string): string | undefined {
  const label = firstLabel.exec(rname)?.[0] ?? '';
  const above = rname.slice(label.length + 1);
  const local = unescaped(label);
  // Many write the address itself, with its own sign between the parts.
  const [box = '', host = '', ...more] = local.includes('@')
    ? `${local}.${above}`.split('@')
    : [local, above];
  const form = inForm('host', host);
  if (more.length > 0 || !mailbox.test(box) || !('text' in form) || form.text === '') return undefined;
  return `${box}@${form.text}`.toLowerCase();
}

function unescaped(label: string): string {
  return label.replaceAll(/\\(\d{3}|\D)/g, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
  );
}
