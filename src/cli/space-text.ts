import type { SpaceState } from '../store/free-space.ts';

const mebibyte = 1 << 20;

/** `the disk has 700 MiB free; storage.reserveBytes keeps 1,024 MiB` */
export function spaceText({ freeBytes, reserveBytes }: SpaceState): string {
  const inMebibytes = (bytes: number) => `${Math.floor(bytes / mebibyte).toLocaleString('en')} MiB`;
  return `the disk has ${inMebibytes(freeBytes)} free; storage.reserveBytes keeps ${inMebibytes(reserveBytes)}`;
}
