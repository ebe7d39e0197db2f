import { TEXTS } from '../texts.js';
import { Problem, unreachable } from './problem.js';

/** How much of the reply to a message was said so far. */
export interface SpokenReply {
  readonly messageId: string;
  readonly text: string;
  /** Null until it is whole. */
  readonly replyId: string | null;
}

interface StreamEvent {
  readonly event: string;
  readonly data: {
    readonly id: string;
    readonly content: string;
    readonly delta: string;
    readonly error: { readonly code: string; readonly message: string; readonly request_id: string };
  };
}

/**
 * Reads an answer that streams a reply. Rejects with the refusal that it tells, or where it ends before the message is stored.
 * @returns the last that was spoken
 */
export async function readReply(
  answer: ReadableStream<Uint8Array>,
  onSpoken: (spoken: SpokenReply) => void,
): Promise<SpokenReply> {
  let spoken: SpokenReply | null = null;
  try {
    for await (const told of eventsOf(answer)) {
      if (told.event === 'error') throw refusalOf(told);
      const next = after(spoken, told);
      if (next !== spoken && next) onSpoken(next);
      spoken = next;
    }
  } catch (failure) {
    if (failure instanceof Problem) throw failure;
    if (spoken === null) unreachable(failure as Error);
  }
  return spoken ?? unreachable(new Error(TEXTS.problem.unstored));
}

function after(spoken: SpokenReply | null, { event, data }: StreamEvent): SpokenReply | null {
  if (event === 'message.created') return { messageId: data.id, text: '', replyId: null };
  if (spoken === null) return null;
  if (event === 'reply.delta') return { ...spoken, text: spoken.text + data.delta };
  if (event === 'reply.reset') return { ...spoken, text: '' };
  if (event === 'reply.completed') return { ...spoken, text: data.content, replyId: data.id };
  return spoken;
}

function refusalOf({ data: { error } }: StreamEvent): Problem {
  return new Problem(error.code, error.message, error.request_id, 200);
}

async function* eventsOf(answer: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = answer.getReader();
  const decoder = new TextDecoder();
  for (let rest = ''; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string]));
      const [event, data] = [fields.get('event'), fields.get('data')];
      // What has neither is a comment.
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) as StreamEvent['data'] };
    }
  }
}
