/** Who may be shown what is shared: the four markings of the Traffic Light Protocol that STIX 2.1 defines (7.2.1.4). */
import type { StixObject } from './stix-object.ts';

export type TlpColour = 'white' | 'green' | 'amber' | 'red';

const uuids: Readonly<Record<TlpColour, string>> = {
  white: '613f2e26-407d-48c7-9eca-b8e91df99dc9',
  green: '34098fce-860f-48ae-8e50-ebd3cc5e41da',
  amber: 'f88d31f6-486f-44da-b317-01333bde0b82',
  red: '5e57c739-391a-4eb3-b6be-7d15ca92d5ed',
};

/** The same for everybody: the standard gives it. */
export const tlpCreated = '2017-01-20T00:00:00.000Z';

export function tlpMarkingId(colour: TlpColour): string {
  return `marking-definition--${uuids[colour]}`;
}

export function tlpMarking(colour: TlpColour): StixObject {
  return {
    type: 'marking-definition',
    spec_version: '2.1',
    id: tlpMarkingId(colour),
    created: tlpCreated,
    definition_type: 'tlp',
    name: `TLP:${colour.toUpperCase()}`,
    definition: { tlp: colour },
  };
}
