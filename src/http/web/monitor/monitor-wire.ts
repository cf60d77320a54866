/** What the pages of monitors read and send. Counts and daily series are at `/ui/api/detect/counts`. */
import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../wire-values.ts';

const State = oneOf(['active', 'inactive'], 'inactive: paused');

export const MonitorView = Type.Object({
  id: Type.String(),
  term: Type.String(),
  match_substring_variations: Type.Boolean(),
  nameserver_exclusions: Type.Array(Type.String()),
  text_exclusions: Type.Array(Type.String()),
  passive_only: Type.Boolean({ description: 'nothing is asked of the servers of what it matches' }),
  state: State,
  status: oneOf(['pending', 'completed']),
  searched: Type.Object({ names: Type.Integer(), of_names: Type.Integer() }),
  declared: Type.Optional(
    Type.Object(
      { file: Type.String(), changed: Type.Array(Type.String()) },
      { description: 'the file of monitors as code, and the members that have changed since it was applied' },
    ),
  ),
  created_by: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type MonitorView = Static<typeof MonitorView>;

/** GET /ui/api/monitors */
export const MonitorList = Type.Object({ monitors: Type.Array(MonitorView), total: Type.Integer() });
export type MonitorList = Static<typeof MonitorList>;

/** GET /ui/api/monitors/:id: what hangs on it, for the page and for the question before it is deleted. */
export const MonitorDetails = Type.Object({
  monitor: MonitorView,
  domains: Type.Integer({ description: 'that it matches' }),
  alone: Type.Object(
    {
      domains: Type.Integer({ description: 'that no other monitor matches: they leave the lists with it' }),
      decided: Type.Integer({ description: 'those of them that were watched, ignored or escalated' }),
      blocked: Type.Integer({ description: 'those of them that are blocked' }),
    },
    { description: 'what its deletion concerns' },
  ),
});
export type MonitorDetails = Static<typeof MonitorDetails>;

const exclusions = Type.Optional(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 500 }));

/** POST /ui/api/monitors, and the body of a preview. */
export const MonitorBody = Type.Object({
  term: Type.String({ maxLength: 1000 }),
  match_substring_variations: Type.Optional(Type.Boolean()),
  nameserver_exclusions: exclusions,
  text_exclusions: exclusions,
  passive_only: Type.Optional(Type.Boolean()),
});
export type MonitorBody = Static<typeof MonitorBody>;

/** PATCH /ui/api/monitors/:id */
export const MonitorChangeBody = Type.Object({
  match_substring_variations: Type.Optional(Type.Boolean()),
  nameserver_exclusions: exclusions,
  text_exclusions: exclusions,
  passive_only: Type.Optional(Type.Boolean()),
  state: Type.Optional(State),
});
export type MonitorChangeBody = Static<typeof MonitorChangeBody>;

/** DELETE /ui/api/monitors/:id?keep_blocks= */
export const DeletedMonitorView = Type.Object({
  id: Type.String(),
  removed: Type.Integer(),
  remembered: Type.Integer(),
  blocked: Type.Integer({ description: 'that stay on the blocklist' }),
});
export type DeletedMonitorView = Static<typeof DeletedMonitorView>;

const StepView = Type.Object({
  class: Type.String(),
  at: Type.Integer(),
  removed: Type.String(),
  inserted: Type.String(),
});

/** POST /ui/api/monitors/preview: also the back-test. */
export const MonitorPreview = Type.Object({
  days: Type.Integer(),
  searched_names: Type.Integer(),
  complete: Type.Boolean({ description: 'false: the oldest names were not searched' }),
  total: Type.Integer({ description: 'what the monitor would have found' }),
  excluded: Type.Integer({ description: 'what its exclusions would have left out' }),
  class_counts: Type.Record(Type.String(), Type.Integer()),
  escalated: Type.Integer({ description: 'those of total that the account has escalated since' }),
  watched: Type.Integer({ description: 'those of total that the account watches' }),
  domains: Type.Array(
    Type.Object({
      domain: Type.String(),
      punycode: Type.String(),
      tld: Type.String(),
      first_seen: Type.String({ description: 'the day, YYYY-MM-DD' }),
      name_server: Type.Array(Type.String()),
      excluded_by: nullable<{ by: 'text' | 'name_server'; exclusion: string }>(
        'the exclusion that strikes the line',
      ),
      match: Type.Object({
        class: Type.String(),
        text: Type.String(),
        host: Type.String(),
        distance: Type.Integer(),
        explanation: Type.String(),
        steps: Type.Array(StepView),
      }),
    }),
    { description: 'newest first, excluded ones among them' },
  ),
});
export type MonitorPreview = Static<typeof MonitorPreview>;

const BackTestPart = Type.Object({
  total: Type.Integer(),
  watched: Type.Integer(),
  ignored: Type.Integer(),
  escalated: Type.Integer(),
  domains: Type.Array(Type.Object({ domain: Type.String(), punycode: Type.String() }), {
    description: 'newest first',
  }),
});

/** POST /ui/api/monitors/:id/back-test: what a change would have meant. */
export const MonitorBackTest = Type.Object({
  days: Type.Integer(),
  complete: Type.Boolean({ description: 'false: the oldest names were not searched' }),
  appearing: BackTestPart,
  disappearing: BackTestPart,
});
export type MonitorBackTest = Static<typeof MonitorBackTest>;

/** GET /ui/api/own-domains, and the answer of POST */
export const OwnDomains = Type.Object({
  own_domains: Type.Array(Type.Object({ domain: Type.String(), punycode: Type.String() })),
});
export type OwnDomains = Static<typeof OwnDomains>;

/** POST /ui/api/own-domains */
export const OwnDomainsBody = Type.Object({
  add: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })),
  remove: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })),
});
export type OwnDomainsBody = Static<typeof OwnDomainsBody>;
