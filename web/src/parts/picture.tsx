import { useState } from 'react';
import { type Foreign, foreign, plain } from '../data/foreign.ts';
import { spelledOut } from '../data/unseen.ts';
import { defang } from '../names/defang.ts';
import { type MissingPicture, NoPicture } from './no-picture.tsx';

interface PictureProps {
  readonly picture: MissingPicture & { readonly path?: string | undefined };
  /** Whose web page it shows. */
  readonly of: Foreign;
  readonly width: number;
  readonly height: number;
  /** Without the details of why there is none. */
  readonly brief?: boolean;
}

/** The address of a picture in the size in which it is drawn. */
export const sizedPath = (path: string, width: number, height: number): string =>
  `${path}${path.includes('?') ? '&' : '?'}width=${width}&height=${height}`;

/** The screenshot, or why there is none. */
export function Picture({ picture, of, width, height, brief = false }: PictureProps) {
  const [broken, setBroken] = useState<string>();
  const { state, path } = picture;
  const name = foreign(defang(plain(of)));
  if (state !== 'taken' || path === undefined || broken === path)
    return (
      <span className="no-picture">
        <NoPicture picture={state === 'taken' ? { state: 'broken' } : picture} brief={brief} />
      </span>
    );
  return (
    <img
      loading="lazy"
      decoding="async"
      width={width}
      height={height}
      alt={`Web page of ${spelledOut(name)}`}
      src={sizedPath(path, width, height)}
      onError={() => setBroken(path)}
    />
  );
}
