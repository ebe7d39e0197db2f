import { afterPoints, type ReplyPlace } from '../turns/live-reply.js';

/** What a reader of a reply gets, to have the text so far. */
export type ReplyStep =
  /** Forget the deltas so far. */
  | { readonly is: 'reset'; readonly place: ReplyPlace }
  | { readonly is: 'delta'; readonly delta: string; readonly place: ReplyPlace };

/** The steps from a reader's position (null at the beginning) to a run's text. */
export function* stepsTo(place: ReplyPlace | null, run: string, text: string): Generator<ReplyStep> {
  const isAnotherRun = place !== null && place.run !== run;
  if (isAnotherRun && place.points > 0) yield { is: 'reset', place: { run, points: 0 } };
  const from = place === null || isAnotherRun ? 0 : place.points;
  const delta = afterPoints(text, from);
  if (delta !== '') yield { is: 'delta', delta, place: { run, points: from + pointsIn(delta) } };
}

function pointsIn(text: string): number {
  let points = 0;
  for (const _ of text) points += 1;
  return points;
}
