/** Clients of a blocklist that are remembered for each format of a selection: those that fetched last. */
export const fetchingClientsMax = 20;
