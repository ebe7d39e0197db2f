import { type Answer, say } from './replies.js';
import type { Order } from './several-orders.js';
import * as words from './wording.js';

type Act = (order: Order) => Promise<Answer> | Answer;

/** A reply's words and the sentence it closes with. */
function partsOf(content: string): { readonly body: string; readonly closing: string } {
  const closing = words.CLOSINGS.find((sentence) => content.endsWith(sentence)) ?? '';
  return { body: content.slice(0, content.length - closing.length).trimEnd(), closing };
}

function isDone(answer: Answer): answer is Extract<Answer, { kind: 'said' }> {
  if (answer.kind !== 'said' || answer.content === words.LEFT_AS_IS) return false;
  return [words.ANYTHING_ELSE, words.OFFER_CONFIRM].includes(partsOf(answer.content).closing);
}

/**
 * Carries on with the further orders of a message while each can be carried out at once. What would need a question is
 * handed back to be given again: one question at a time can be answered.
 */
export async function withFurther(first: Answer, further: readonly Order[], act: Act): Promise<Answer> {
  if (first.kind !== 'said') return first;
  const left = [...further];
  const done = [first];
  for (let last: Answer = first; left[0] !== undefined && isDone(last); left.shift()) {
    last = await act(left[0]);
    if (!isDone(last)) break;
    done.push(last);
  }
  const parts = done.map(({ content }) => partsOf(content));
  const { body = '', closing = '' } = parts.at(-1) ?? {};
  const apart = body.includes('\n') ? '\n\n' : '';
  const again = left.length === 0 ? '' : apart + words.writeAgain(left.map(({ text }) => text));
  return say(...parts.map((part) => part.body), again, closing);
}
