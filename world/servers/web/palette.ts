/** The colours of a brand, which its imitators share. */
import { stableNumber } from '../stable-choice.ts';

export interface Palette {
  readonly main: string;
  readonly dark: string;
  readonly pale: string;
  readonly accent: string;
}

export function paletteOf(brand: string): Palette {
  const hue = stableNumber(brand) % 360;
  return {
    main: `hsl(${hue} 68% 42%)`,
    dark: `hsl(${hue} 60% 18%)`,
    pale: `hsl(${hue} 60% 96%)`,
    accent: `hsl(${(hue + 150) % 360} 75% 48%)`,
  };
}
