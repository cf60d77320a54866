/** Puts many keys in order without moving them: the places of the first so many, by key, equal ones as they came. */

/** Fewer are sorted by comparing. */
const manyKeys = 4096;
const digits = 65_536;

export function orderOfKeys(keys: BigInt64Array, count: number): Uint32Array {
  let order = Uint32Array.from({ length: count }, (_, place) => place);
  if (count < manyKeys) {
    const at = (place: number) => keys[place] as bigint;
    return order.sort((left, right) =>
      at(left) === at(right) ? left - right : at(left) < at(right) ? -1 : 1,
    );
  }
  const words = new Uint16Array(keys.buffer, keys.byteOffset, count * 4);
  let other: typeof order = new Uint32Array(count);
  for (let word = 0; word < 4; word += 1) {
    // The last word has the sign, and negative numbers come first.
    const sign = word === 3 ? 0x8000 : 0;
    const starts = new Uint32Array(digits + 1);
    for (let place = 0; place < count; place += 1) {
      const digit = ((words[place * 4 + word] as number) ^ sign) + 1;
      starts[digit] = (starts[digit] as number) + 1;
    }
    for (let digit = 1; digit <= digits; digit += 1)
      starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number);
    for (let at = 0; at < count; at += 1) {
      const place = order[at] as number;
      const digit = (words[place * 4 + word] as number) ^ sign;
      const to = starts[digit] as number;
      other[to] = place;
      starts[digit] = to + 1;
    }
    [order, other] = [other, order];
  }
  return order;
}
