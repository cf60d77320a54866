/** A URL with a user or a query may hold a token, wherever in a value of settings it stands. */
export function mayHoldCredential(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(mayHoldCredential);
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && (url.username !== '' || url.password !== '' || url.search !== '');
}
