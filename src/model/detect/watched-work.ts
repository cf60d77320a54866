/** What is done for a domain as soon as it is watched, and every day from then on: jobs of these kinds. */
export const workOnWatched = ['collect', 'screenshot'] as const;
