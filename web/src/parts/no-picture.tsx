import { CameraOff, Hourglass, Image, Unplug } from 'lucide-react';
import type { Foreign } from '../data/foreign.ts';
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

const reasons = {
  taken: 'No picture.',
  queued: 'A picture is queued.',
  unresolved: 'No picture: the name has no address.',
  failed: 'The page could not be captured.',
  broken: 'The picture could not be loaded.',
  off: 'Screenshots are switched off on this server.',
  none: 'No picture has been requested.',
} as const;

export interface MissingPicture {
  readonly state: keyof typeof reasons;
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
      <Icon size={20} aria-hidden /> <span>{reasons[state]}</span>
      {!brief && since !== undefined && (
        <small>
          {state === 'queued' ? 'Since ' : 'Last attempt '}
          <Ago at={since} suffix=" ago" />
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
