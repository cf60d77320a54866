import { CameraOff, Hourglass, Image, Unplug } from 'lucide-react';
import { useState } from 'react';
import { type Foreign, foreign, plain } from '../data/foreign.ts';
import { spelledOut } from '../data/unseen.ts';
import { defang } from '../names/defang.ts';
import { timeWords, pictureWords as words } from '../words/parts.ts';
import { Text } from './text.tsx';
import { Ago } from './time.tsx';

const icons = {
  taken: Image,
  queued: Hourglass,
  unresolved: Unplug,
  failed: CameraOff,
  broken: CameraOff,
  off: CameraOff,
  none: Image,
};

export interface MissingPicture {
  readonly state: keyof typeof words.missing;
  readonly since?: string | undefined;
  readonly error?: Foreign | undefined;
}

/** Why there is no picture. */
export function NoPicture({
  picture: { state, since, error },
  brief = false,
}: {
  picture: MissingPicture;
  brief?: boolean;
}) {
  const Icon = icons[state];
  return (
    <>
      <Icon size={20} aria-hidden /> <span>{words.missing[state]}</span>
      {!brief && since !== undefined && (
        <small>
          {state === 'queued' ? words.since : words.lastAttempt}
          <Ago at={since} suffix={timeWords.ago} />
        </small>
      )}
      {!brief && error !== undefined && (
        <small>
          <Text of={error} />
        </small>
      )}
    </>
  );
}

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
      alt={words.of(spelledOut(name))}
      src={sizedPath(path, width, height)}
      onError={() => setBroken(path)}
    />
  );
}
