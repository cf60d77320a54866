/**
 * Checked by the compiler, never run: text of somebody else is refused wherever it is not drawn by `<Text>` or `<Name>`. If one of these lines
 * became legal, `tsc` would report that there is no error to expect. Children of fragments, which the compiler does not check, and ways around
 * it are found by `test/web/foreign-text.test.ts`.
 */
import type { Domain, DomainDetail } from '../data/detect.ts';
import { spelledOut } from '../data/unseen.ts';
import { Name } from './name.tsx';
import { Text } from './text.tsx';

export function Allowed({ domain }: { domain: Domain }) {
  return (
    <p title={spelledOut(domain.registrar)}>
      <Name host={domain.domain} /> <Text of={domain.registrar} /> {domain.id} {domain.discovered_date}
    </p>
  );
}

export function Refused({ domain, detail }: { domain: Domain; detail: DomainDetail }) {
  // @ts-expect-error a child of an element
  const child = <td>{domain.registrar}</td>;
  // @ts-expect-error a child, out of a list
  const listed = <td>{domain.name_server[0]?.host}</td>;
  // @ts-expect-error an attribute
  const title = <p title={domain.domain} />;
  // @ts-expect-error a label for screen readers
  const label = <p aria-label={detail.shared[0]?.value} />;
  // @ts-expect-error an address
  const link = <a href={domain.domain}>x</a>;
  // @ts-expect-error a string
  const text: string = detail.notes_list[0]?.text;
  return [child, listed, title, label, link, text].length;
}
