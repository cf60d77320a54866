/** A label of the operator's own choice, as the value of `--source`. */
import { InvalidArgumentError } from 'commander';

export function readLabel(text: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._:@/-]{0,63}$/u.test(text)) return text;
  throw new InvalidArgumentError('Say a name of at most 64 letters, digits and . _ : @ / -');
}
