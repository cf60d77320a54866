/**
 * How far a log has been read: after an entry, or at its start. Opaque, since a log may be spread over several databases: a reader stores the position of the
 * last entry that it has handled, and asks for what follows.
 */
export type LogPosition = string;

export const logStart: LogPosition = '';
