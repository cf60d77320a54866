/** The kinds of abuse that are scored. The order is the order in model files. */
export const threats = ['phishing', 'malware', 'spam'] as const;

export type Threat = (typeof threats)[number];

/** One value for each threat. */
export type ByThreat<Value> = Readonly<Record<Threat, Value>>;

export function byThreat<Value>(valueOf: (threat: Threat) => Value): ByThreat<Value> {
  return { phishing: valueOf('phishing'), malware: valueOf('malware'), spam: valueOf('spam') };
}
