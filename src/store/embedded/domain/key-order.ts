/** Puts many keys in order without moving them: their places by key, equal ones as they came. */

/** Fewer are sorted by comparing. */
const manyKeys = 4096;
/** From here on two bytes at a time are quicker than one. */
const greatCount = 32_768;

/** Of the first so many. */
export function orderOfKeys(keys: BigInt64Array, count: number): Uint32Array {
  let order = placesOf(count);
  if (count < manyKeys) {
    const at = (place: number) => keys[place] as bigint;
    return order.sort((left, right) =>
      at(left) === at(right) ? left - right : at(left) < at(right) ? -1 : 1,
    );
  }
  const isGreat = count >= greatCount;
  const parts = isGreat
    ? new Uint16Array(keys.buffer, keys.byteOffset, count * 4)
    : new Uint8Array(keys.buffer, keys.byteOffset, count * 8);
  const [each, digits] = isGreat ? [4, 65_536] : [8, 256];
  let other = new Uint32Array(count);
  const starts = new Uint32Array(digits + 1);
  for (let part = 0; part < each; part += 1) {
    // The last part has the sign, and negative numbers come first.
    const sign = part === each - 1 ? digits >>> 1 : 0;
    starts.fill(0);
    for (let place = 0; place < count; place += 1) {
      const digit = ((parts[place * each + part] as number) ^ sign) + 1;
      starts[digit] = (starts[digit] as number) + 1;
    }
    // All keys have the same here.
    if (starts.includes(count)) continue;
    for (let digit = 1; digit <= digits; digit += 1)
      starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number);
    for (let at = 0; at < count; at += 1) {
      const place = order[at] as number;
      const digit = (parts[place * each + part] as number) ^ sign;
      const to = starts[digit] as number;
      other[to] = place;
      starts[digit] = to + 1;
    }
    [order, other] = [other, order];
  }
  return order;
}

/** The same of numbers, none of which is NaN or negative zero. */
export function orderOfNumbers(numbers: Float64Array): Uint32Array {
  const { length } = numbers;
  if (length < manyKeys) {
    const at = (place: number) => numbers[place] as number;
    return placesOf(length).sort((left, right) =>
      at(left) === at(right) ? left - right : at(left) < at(right) ? -1 : 1,
    );
  }
  // The bits of a number are in the order of numbers where it is positive, and in the other where it is negative.
  const halves = new Int32Array(numbers.slice().buffer);
  for (let high = 1; high < halves.length; high += 2) {
    if ((halves[high] as number) >= 0) continue;
    halves[high] = (halves[high] as number) ^ 0x7fff_ffff;
    halves[high - 1] = ~(halves[high - 1] as number);
  }
  return orderOfKeys(new BigInt64Array(halves.buffer), length);
}

/** From the first on. */
export function placesOf(count: number): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(count);
  for (let place = 0; place < count; place += 1) places[place] = place;
  return places;
}
