// The least a delivery can cost: a signed POST, nothing recorded; or a claim before and an outcome behind it, each as long
// as ours and stored by the embedded engine before the next step, without anything that is made of them.
import { randomUUID } from 'node:crypto';
import { callersOf } from './callers.mjs';
import { openEngine } from './engine.mjs';
import { BODY, CLAIM, OUTCOME, signedPosts } from './signed-posts.mjs';

export async function measure({ url, build, directory, ...load }) {
  const send = signedPosts(url, load.callers);
  if (!build) return callersOf(load, () => () => send(BODY));
  const { events } = await openEngine(build, directory);
  const append = (stream, type, text, revision) =>
    events.append(stream, [{ id: randomUUID(), event: { type, at: Date.now(), text } }], revision);
  return callersOf(load, () => async () => {
    const stream = `deliveries-${randomUUID()}`;
    await append(stream, 'DeliveryClaimed', CLAIM, 'none');
    await send(BODY);
    await append(stream, 'DeliverySucceeded', OUTCOME, 0);
  });
}
