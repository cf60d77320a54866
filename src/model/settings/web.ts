/** Settings of the web UI. */
import { Type } from 'typebox';
import { flag, whole } from './kinds.ts';

export const Web = Type.Object({
  enabled: flag(true, 'whether the web UI is served under /ui/; a process with role worker never serves it'),
  sessionIdleHours: whole(12, 'hours without a request after which a session of the web UI ends', 1, 720),
  sessionDaysMax: whole(7, 'days after the sign-in at which a session of the web UI ends in any case', 1, 90),
  pagesPerMinute: whole(
    300,
    'pages of Detect lists, facets and single domains that a person may read in the web UI per minute',
  ),
});
