/**
 * What the sentences of this folder are made of. Every word that a person reads stands here, one file for each family of pages, so that a
 * translation has one home; `test/web/literal-words.test.ts` finds those that do not.
 */
import { createElement, Fragment, type ReactNode } from 'react';

const grouping = /\B(?=(?:\d{3})+$)/g;

/** `12,431`. Whole numbers only; the formatter of the browser takes longer to make than a list to draw. */
export const number = (count: number): string => String(count).replace(grouping, ',');

/** `1 domain`, `1,240 domains`. */
export const counted = (count: number, one: string, many: string): string =>
  `${number(count)} ${count === 1 ? one : many}`;

export const domains = (count: number): string => counted(count, 'domain', 'domains');

const sizeUnits = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `512 bytes`, `1.4 MiB`. */
export function byteSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), sizeUnits.length - 1);
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${sizeUnits[power]}`;
}

/** A sentence with elements in it: which one comes first is up to the language. */
export const phrase = (texts: TemplateStringsArray, ...elements: readonly ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...texts.flatMap((text, index) => [text, elements[index]]));
