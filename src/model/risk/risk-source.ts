/** Who wrote a score: the source of such updates of records. */
export const riskSource = 'risk';
