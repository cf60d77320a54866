/** Why a domain is on a list, on the wire. Beyond the contract. */
import { type Static, Type } from 'typebox';
import type { MonitorMatch } from '../../../model/detect/watchlist.ts';
import { explain } from '../../../product/detect/explanation.ts';

const reason = {
  class: Type.String({ description: 'the kind of variation that leads from the term to the name' }),
  text: Type.String({ description: 'the part of the name that resembles the term' }),
  host: Type.String({ description: 'the name that matched: the domain or a host name below it' }),
  distance: Type.Integer({ description: 'edit distance, homoglyphs not counted' }),
  explanation: Type.String(),
  steps: Type.Array(
    Type.Object({
      class: Type.String(),
      at: Type.Integer(),
      removed: Type.String(),
      inserted: Type.String(),
    }),
    { description: 'applied in order, they turn the term into text' },
  ),
};

export const Reason = Type.Object(reason, { title: 'MatchReason' });
export const Match = Type.Object({ monitor_id: Type.String(), ...reason }, { title: 'Match' });

export function reasonOnWire(match: MonitorMatch['reason']): Static<typeof Reason> {
  const { class: kind, text, name, distance, steps } = match;
  return {
    class: kind,
    text,
    host: name,
    distance,
    explanation: explain(match),
    steps: steps.map((step) => ({
      class: step.class,
      at: step.at,
      removed: step.removed,
      inserted: step.inserted,
    })),
  };
}

export function matchOnWire({ monitorId, reason: match }: MonitorMatch): Static<typeof Match> {
  return { monitor_id: monitorId, ...reasonOnWire(match) };
}
