/** Nodes can be dragged, unless the layout is locked. */
import type { Sigma } from 'sigma';
import type { Position } from './gexf.ts';

export function dragNodes(
  sigma: Sigma,
  mayDrag: () => boolean,
  onMoved: (key: string, position: Position) => void,
): () => void {
  let dragged: string | undefined;
  const stop = () => {
    dragged = undefined;
  };
  sigma.on('downNode', ({ node }) => {
    if (mayDrag()) dragged = node;
  });
  sigma.on('moveBody', ({ event }) => {
    if (dragged === undefined) return;
    const position = sigma.viewportToGraph(event);
    // Otherwise the camera moves with it.
    event.preventSigmaDefault();
    event.original.preventDefault();
    onMoved(dragged, position);
    sigma.getGraph().mergeNodeAttributes(dragged, position);
  });
  sigma.on('upNode', stop);
  sigma.on('upStage', stop);
  return stop;
}
