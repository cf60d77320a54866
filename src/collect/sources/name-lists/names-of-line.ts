/**
 * Extracts names from a line of a list in any common form: a name, `rank,name`, a name with further columns, or a line of a hosts
 * file. `#` starts a comment. Names are not validated here.
 */
import { isIP } from 'node:net';

const namesMax = 64;
const nameLengthMax = 1024;

export function namesOfLine(line: string): readonly string[] {
  const end = line.indexOf('#');
  const words = (end < 0 ? line : line.slice(0, end))
    .split(/[\s,;]+/, namesMax + 2)
    .map((word) => word.replaceAll('"', ''))
    .filter((word) => word !== '');
  const [first = '', second] = words;
  if (isIP(first) !== 0) return words.slice(1, namesMax + 1).filter(isOfLength);
  const name = /^\d+$/.test(first) ? second : first;
  return name === undefined ? [] : [name].filter(isOfLength);
}

function isOfLength(name: string): boolean {
  return name !== '' && name.length <= nameLengthMax;
}
