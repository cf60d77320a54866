/**
 * Calls wait for the lock of a database with the time they had read before, so a stored time may be this far ahead of a call's although
 * nobody has set the clock. A time still further ahead shows that the clock was set back.
 */
export const reorderingMs = 10_000;
