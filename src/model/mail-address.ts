/** A single plain address, `name@host`, without display name or anything that could inject a header. */
const form = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,188}[A-Za-z0-9])?$/;

export function isMailAddress(text: string): boolean {
  return form.test(text);
}
