// The steps of a run, asked for in pieces and kept.

import { api } from './api.js';
import { failed } from './notice.js';

const SIZE = 200;
const KEPT = 60;
const pieces = new Map();

/** A step, from 0; null if it is not here yet: then `arrived` is called later. */
export function stepOf(run, index, arrived) {
  const from = index - (index % SIZE);
  const to = Math.min(from + SIZE, run.steps);
  // A run that has grown has another end.
  const key = `${run.id}:${from}:${to}`;
  let piece = pieces.get(key);
  if (!piece) {
    piece = { steps: null };
    pieces.set(key, piece);
    if (pieces.size > KEPT) pieces.delete(pieces.keys().next().value);
    api.steps(run.id, from, to).then(
      (answer) => {
        piece.steps = answer.steps;
        arrived();
      },
      (error) => {
        pieces.delete(key);
        failed(error);
      },
    );
  }
  return piece.steps?.[index - from] ?? null;
}
