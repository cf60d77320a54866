/**
 * Blocked names as events of a MISP feed (https://www.misp-project.org/feeds/, MISP core format): the names of one day that resemble one term are
 * one event. Identifiers are made from names and times from serials, so that the same list always gives the same bytes.
 */
import { dayMs, daySeconds } from '../../durations.ts';
import { uuidV5 } from '../../stix/uuid-v5.ts';
import { thirdPartyText } from '../../third-party-text.ts';
import type { MembershipPeriod } from '../blocklist/selection.ts';

export interface FeedOwner {
  /** Of the account. */
  readonly id: string;
  readonly name: string;
  readonly selection: string;
  /** White, green, amber or red, of the Traffic Light Protocol. */
  readonly tlp: string;
}

/** Attributes are sorted by name. */
export interface FeedEvent {
  readonly uuid: string;
  /** `2026-03-04` */
  readonly day: string;
  /** What the names have in common; undefined where it is only the day. */
  readonly subject: Subject | undefined;
  readonly periods: MembershipPeriod[];
}

interface Subject {
  readonly kind: 'term' | 'tag';
  readonly text: string;
}

/** Random once; identifiers of feeds depend on it forever. */
const namespace = '6d3b8c0e-8a55-4d0b-9c56-0f3f1f1a7a5d';
const colours: Readonly<Record<string, string>> = {
  white: '#ffffff',
  green: '#33ff00',
  amber: '#ffc000',
  red: '#ff2b2b',
};
const [high, medium, low, undefinedLevel] = ['1', '2', '3', '4'];
const infoMax = 250;

/** Groups names in memory. They must come in order. */
export class FeedEvents {
  readonly #owner: FeedOwner;
  readonly #events = new Map<string, FeedEvent>();
  names = 0;

  constructor(owner: FeedOwner) {
    this.#owner = owner;
  }

  add(period: MembershipPeriod): void {
    const dayNumber = Math.floor(period.added / daySeconds);
    const subject = subjectOf(period);
    const group = subject ? `${dayNumber} ${subject.kind} ${subject.text}` : `${dayNumber}`;
    let event = this.#events.get(group);
    if (!event) {
      event = newEvent(this.#owner, dayNumber, subject);
      this.#events.set(group, event);
    }
    // Removed and added again on one day, it is there once.
    if (event.periods.at(-1)?.name === period.name) event.periods.pop();
    else this.names += 1;
    event.periods.push(period);
  }

  /** By uuid, the oldest first. */
  byUuid(): ReadonlyMap<string, FeedEvent> {
    const keyed = [...this.#events.values()].map((event) => [`${event.day} ${event.uuid}`, event] as const);
    const sorted = keyed.sort(([one], [other]) => (one < other ? -1 : 1));
    return new Map(sorted.map(([, event]) => [event.uuid, event]));
  }
}

function newEvent({ id, selection }: FeedOwner, dayNumber: number, subject: Subject | undefined): FeedEvent {
  const day = new Date(dayNumber * dayMs).toISOString().slice(0, 10);
  const key = JSON.stringify([id, selection, day, subject?.kind ?? '', subject?.text ?? '']);
  return { uuid: uuidV5(namespace, `event ${key}`), day, subject, periods: [] };
}

function subjectOf({ reason: { terms, tag } }: MembershipPeriod): Subject | undefined {
  const [term] = terms ?? [];
  if (term !== undefined) return { kind: 'term', text: term };
  return tag === undefined ? undefined : { kind: 'tag', text: tag };
}

/** Unix time of the last change: MISP reads an event again when it is later than the one that it has. */
export function changedSeconds({ periods }: FeedEvent): number {
  return periods.reduce((latest, { added, removed = 0 }) => Math.max(latest, added, removed), 0);
}

/** The entry of the manifest, and the event itself but for its attributes. */
export function eventHead(event: FeedEvent, owner: FeedOwner) {
  return {
    info: infoOf(event, owner),
    Orgc: {
      uuid: uuidV5(namespace, `organisation ${owner.id}`),
      name: thirdPartyText(owner.name) || 'Nameglass',
    },
    analysis: event.periods.every(({ reason }) => reason.source === 'blocked') ? '2' : '0',
    Tag: [{ name: `tlp:${owner.tlp}`, colour: colours[owner.tlp] ?? '#ffffff' }],
    timestamp: String(changedSeconds(event)),
    date: event.day,
    threat_level_id: threatLevel(event),
  };
}

function infoOf({ day, subject }: FeedEvent, { selection }: FeedOwner): string {
  const text = subject && thirdPartyText(subject.text);
  const which = subject
    ? subject.kind === 'term'
      ? `resembling ${text}`
      : `tagged ${text}`
    : 'without a monitor';
  return `Nameglass, list ${selection}: domains ${which}, ${day}`.slice(0, infoMax);
}

function threatLevel({ periods }: FeedEvent): string {
  const scores = periods.flatMap(({ removed, reason }) =>
    removed === undefined ? (reason.riskScore ?? []) : [],
  );
  if (scores.length === 0) return undefinedLevel;
  const highest = scores.reduce((one, other) => Math.max(one, other));
  return highest >= 70 ? high : highest >= 40 ? medium : low;
}

/** A name that is no longer on the list is deleted, so that MISP deletes it too. */
export function attributeOf(
  { uuid }: FeedEvent,
  { name, added, removed, reason }: MembershipPeriod,
  cleaned: (text: string) => string,
) {
  return {
    uuid: uuidV5(namespace, `attribute ${uuid} ${name}`),
    category: 'Network activity',
    type: 'domain',
    value: name,
    to_ids: removed === undefined,
    comment: commentOf(reason, cleaned),
    timestamp: String(removed ?? added),
    deleted: removed !== undefined,
    disable_correlation: false,
  };
}

function commentOf(
  { source, riskScore, terms = [], tag }: MembershipPeriod['reason'],
  cleaned: (text: string) => string,
): string {
  const why = { blocked: 'blocked', new: 'new lookalike', tagged: 'tagged', allowed: 'allowed' }[source];
  const parts = [
    tag === undefined ? why : `${why} ${cleaned(tag)}`,
    ...(terms.length > 0 ? [`resembles ${terms.map(cleaned).join(', ')}`] : []),
    ...(riskScore === undefined ? [] : [`risk ${riskScore}`]),
  ];
  return parts.join('; ');
}

/** Cleans each text of third parties once: most names of an event have the same. */
export function textCleaner(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text) ?? thirdPartyText(text);
    known.set(text, found);
    return found;
  };
}
