/** A stable sort of keys that gives their indexes: LSD radix sort (https://en.wikipedia.org/wiki/Radix_sort) for many, comparison sort for few. */

/** Fewer are sorted by comparison. */
const radixMin = 4096;
/** From here on digits of two bytes are faster than digits of one. */
const wideDigitsMin = 32_768;

/** Of the first `count` keys. */
export function sortedIndexes(keys: BigInt64Array, count: number): Uint32Array {
  let order = indexesBelow(count);
  if (count < radixMin) {
    const at = (index: number) => keys[index] as bigint;
    return order.sort((left, right) =>
      at(left) === at(right) ? left - right : at(left) < at(right) ? -1 : 1,
    );
  }
  const isWide = count >= wideDigitsMin;
  const digitsOfKeys = isWide
    ? new Uint16Array(keys.buffer, keys.byteOffset, count * 4)
    : new Uint8Array(keys.buffer, keys.byteOffset, count * 8);
  const [digitsPerKey, radix] = isWide ? [4, 65_536] : [8, 256];
  let other = new Uint32Array(count);
  const starts = new Uint32Array(radix + 1);
  for (let digitIndex = 0; digitIndex < digitsPerKey; digitIndex += 1) {
    // The most significant digit has the sign bit, and negative numbers come first.
    const sign = digitIndex === digitsPerKey - 1 ? radix >>> 1 : 0;
    starts.fill(0);
    for (let index = 0; index < count; index += 1) {
      const digit = ((digitsOfKeys[index * digitsPerKey + digitIndex] as number) ^ sign) + 1;
      starts[digit] = (starts[digit] as number) + 1;
    }
    // All keys have the same digit here.
    if (starts.includes(count)) continue;
    for (let digit = 1; digit <= radix; digit += 1)
      starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number);
    for (let at = 0; at < count; at += 1) {
      const index = order[at] as number;
      const digit = (digitsOfKeys[index * digitsPerKey + digitIndex] as number) ^ sign;
      const to = starts[digit] as number;
      other[to] = index;
      starts[digit] = to + 1;
    }
    [order, other] = [other, order];
  }
  return order;
}

/** The same for numbers, none of which is NaN or negative zero. */
export function sortedIndexesOfNumbers(numbers: Float64Array): Uint32Array {
  const { length } = numbers;
  if (length < radixMin) {
    const at = (index: number) => numbers[index] as number;
    return indexesBelow(length).sort((left, right) =>
      at(left) === at(right) ? left - right : at(left) < at(right) ? -1 : 1,
    );
  }
  // The bits of positive doubles sort like integers, those of negative ones in reverse.
  const halves = new Int32Array(numbers.slice().buffer);
  for (let high = 1; high < halves.length; high += 2) {
    if ((halves[high] as number) >= 0) continue;
    halves[high] = (halves[high] as number) ^ 0x7fff_ffff;
    halves[high - 1] = ~(halves[high - 1] as number);
  }
  return sortedIndexes(new BigInt64Array(halves.buffer), length);
}

/** 0, 1, … */
export function indexesBelow(count: number): Uint32Array<ArrayBuffer> {
  const indexes = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) indexes[index] = index;
  return indexes;
}
