import { START, type EventStore, type Recorded } from '@ports/event-store.port';
import { follow } from '@ports/contracts/event-feed.contract';

const NO_EVENT = /^(req_|task_|timer:)/;

/** Every event of the log that a feed shows. */
export async function wholeLog(store: EventStore): Promise<readonly Recorded[]> {
  const end = await store.head();
  if (end === START) return [];
  return (await follow(store, START, end, { atOnce: 10_000 })).flatMap(({ events }) => events);
}

/**
 * What the chain of an event's causes begins with: `req_…`, `task_…` or `timer:…`. Throws where an event of it tells no cause, or
 * one that is not in the log or belongs to something else.
 */
export function beginningOf(event: Recorded, log: readonly Recorded[]): string {
  let at = event;
  for (;;) {
    const cause = at.metadata?.$causationId;
    if (cause !== undefined && NO_EVENT.test(cause)) return cause;
    const before = causeIn(log, at);
    if (!before || before.metadata?.$correlationId !== at.metadata?.$correlationId) {
      throw new Error(`the chain ends at ${at.event.type} in ${at.stream}@${at.revision}: ${JSON.stringify(at.metadata)}`);
    }
    at = before;
  }
}

function causeIn(log: readonly Recorded[], { stream, revision, position, metadata }: Recorded): Recorded | undefined {
  if (!metadata) return undefined;
  const { $causationId, $correlationId } = metadata;
  const isIt = (each: Recorded): boolean =>
    $causationId === undefined
      ? each.stream === stream && each.revision < revision && each.metadata?.$correlationId === $correlationId
      : `${each.stream}@${each.revision}` === $causationId;
  return log.findLast((each) => each.position < position && isIt(each));
}
