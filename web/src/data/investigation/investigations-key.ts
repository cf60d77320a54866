/** What is kept of investigations, apart from the rest of them: every page reads it. */
export const investigationsKey = ['investigations'] as const;
