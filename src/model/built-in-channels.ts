/** The channels that the pipeline fills. Nobody else appends to them but the operator. */
export const builtInChannels = {
  processed: 204,
  active: 211,
  domains: 212,
  hosts: 213,
  changes: 214,
  errors: 220,
  distinctErrors: 221,
} as const;

const numbers: ReadonlySet<number> = new Set(Object.values(builtInChannels));

export function isBuiltInChannel(channel: number): boolean {
  return numbers.has(channel);
}
