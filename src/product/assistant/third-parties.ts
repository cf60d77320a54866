/**
 * The one member of an answer that holds what third parties wrote. Everything else in an answer is in our own words, or in a form that
 * cannot hold a sentence: numbers, times, addresses, hashes, domain names in punycode.
 */
import { thirdPartyCharactersMax, thirdPartyText } from '../../model/third-party-text.ts';

export interface Detail {
  /** Of each field. */
  readonly valuesMax: number;
  readonly charactersMax: number;
}

export const fullDetail: Detail = { valuesMax: 5, charactersMax: thirdPartyCharactersMax };

type Values = string | readonly string[];

export interface ThirdParties {
  /** Left out where there is nothing. */
  readonly from_third_parties?: Readonly<Record<string, Values>>;
  /** By field: how many values are left out. */
  readonly more_values?: Readonly<Record<string, number>>;
}

/** Fields without a value are left out. */
export function thirdParties(
  fields: Readonly<Record<string, Values | undefined>>,
  { valuesMax, charactersMax }: Detail = fullDetail,
): ThirdParties {
  const written: Record<string, Values> = {};
  const more: Record<string, number> = {};
  for (const [field, given] of Object.entries(fields)) {
    if (typeof given === 'string') {
      const text = thirdPartyText(given, charactersMax);
      if (text !== '') written[field] = text;
    } else if (given !== undefined) {
      const texts = [...new Set(given)].filter((text) => text !== '');
      const shown = texts.slice(0, valuesMax).map((text) => thirdPartyText(text, charactersMax));
      if (shown.length > 0) written[field] = shown;
      if (texts.length > shown.length) more[field] = texts.length - shown.length;
    }
  }
  return {
    ...(Object.keys(written).length === 0 ? {} : { from_third_parties: written }),
    ...(Object.keys(more).length === 0 ? {} : { more_values: more }),
  };
}
