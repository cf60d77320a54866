/** Settings of what is shared with other platforms as STIX. */
import { Type } from 'typebox';
import { flag, whole } from './kinds.ts';

export const Sharing = Type.Object({
  taxii: flag(true, 'serve collections of lookalikes to TAXII 2.1 clients, at /taxii2/'),
  tlp: Type.Union(
    [Type.Literal('white'), Type.Literal('green'), Type.Literal('amber'), Type.Literal('red')],
    {
      default: 'amber',
      description:
        'marking of the Traffic Light Protocol on STIX objects and events of MISP feeds; those that were given keep theirs until they change',
    },
  ),
  pageObjectsMax: whole(1000, 'default and maximum limit of a page of a TAXII collection', 1, 10_000),
});
