/** One of several, always the same one for the same name: how a world without a die decides. */
import { hash } from 'node:crypto';

export function stableChoice<Choice>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[stableNumber(name) % choices.length] ?? choices[0];
}

/** As above, unless the name says itself which one it is meant to be. */
export function namedChoice<Choice extends string>(
  name: string,
  kind: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  return choices.find((choice) => name.includes(choice)) ?? stableChoice(`${kind} ${name}`, choices);
}

/** 32 bits that follow from the name alone. */
export function stableNumber(name: string): number {
  return hash('sha256', name, 'buffer').readUInt32BE(0);
}
