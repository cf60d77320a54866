/** The label of the node under the pointer, on a background of its own. */
import type { Settings } from 'sigma/settings';
import type { NodeDisplayData, PartialButFor } from 'sigma/types';
import type { Colours } from './colours.ts';

type HoveredNode = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'>;

const padding = 4;

export function drawHover(
  context: CanvasRenderingContext2D,
  { x, y, size, label, color }: HoveredNode,
  { labelSize, labelFont }: Settings,
  colours: Colours,
): void {
  context.beginPath();
  context.arc(x, y, size + 3, 0, 2 * Math.PI);
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.stroke();
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  if (typeof label !== 'string') return;
  context.font = `${labelSize}px ${labelFont}`;
  const left = x + size + 6;
  const width = context.measureText(label).width;
  context.fillStyle = colours.paper;
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(
    left - padding,
    y - labelSize / 2 - padding,
    width + 2 * padding,
    labelSize + 2 * padding,
    4,
  );
  context.fill();
  context.stroke();
  context.fillStyle = colours.ink;
  context.fillText(label, left, y + labelSize / 3);
}
