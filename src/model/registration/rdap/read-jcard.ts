/** A contact from a jCard (RFC 7095). Malformed properties are skipped. */
import { ContactDraft } from '../contact-draft.ts';
import { type JsonObject, listIn, objectIn, textsIn } from './json-value.ts';
import { readAddress } from './read-jcard-address.ts';

export function readJcard(value: unknown): ContactDraft {
  const draft = new ContactDraft();
  const [label, properties] = listIn(value);
  if (label !== 'vcard') return draft;
  for (const property of listIn(properties)) {
    const [name, parameters, , content, ...more] = listIn(property);
    if (typeof name === 'string')
      addProperty(name.toLowerCase(), objectIn(parameters) ?? {}, [content, ...more], draft);
  }
  return draft;
}

function addProperty(
  name: string,
  parameters: JsonObject,
  contents: readonly unknown[],
  draft: ContactDraft,
): void {
  const [content] = contents;
  const texts = contents.flatMap(textsIn);
  if (name === 'fn') draft.add('name', texts[0] ?? '');
  else if (name === 'org') draft.add('org', texts.join(', '));
  else if (name === 'email') for (const text of texts) draft.add('email', text);
  else if (name === 'tel') addPhone(parameters, texts[0] ?? '', draft);
  else if (name === 'adr') readAddress(parameters, content, draft);
}

function addPhone(parameters: JsonObject, text: string, draft: ContactDraft): void {
  const isFax = textsIn(parameters['type']).some((type) => type.toLowerCase() === 'fax');
  draft.add(isFax ? 'fax' : 'phone', text);
}
