/** What people call the members of a record and the attributes by which domains are found. */
import { fieldWords } from '../words/fields.ts';
import { type Foreign, foreign, plain } from './foreign.ts';

export function wordsOfField(field: Foreign): Foreign {
  const name = plain(field);
  const known = fieldWords[name] ?? fieldWords[name.replace(/\.value$/, '')];
  return foreign(known ?? name.replaceAll(/[._]/g, ' ').replace(/^./, (first) => first.toUpperCase()));
}
