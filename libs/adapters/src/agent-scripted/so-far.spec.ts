import type { TranscriptLine } from '@ports/agent.port';
import { openBefore } from './so-far.js';
import { ASK_TIME, ASK_WHEN, ASK_WHICH, WHAT_I_DO } from './wording.js';

type Exchange = readonly [said: string, answer: string];

/** A transcript that ends with a message to answer. */
function transcript(...exchanges: readonly Exchange[]): TranscriptLine[] {
  const lines = exchanges.flatMap(([said, answer]): TranscriptLine[] => [
    { role: 'user', content: said, at: 0 },
    { role: 'assistant', content: answer, at: 0 },
  ]);
  return [...lines, { role: 'user', content: 'and now', at: 0 }];
}

function saidSoFar(...exchanges: readonly Exchange[]): string[] | null {
  const open = openBefore(transcript(...exchanges));
  return open?.kind === 'wish' ? open.said.map(({ text }) => text) : null;
}

const SMALL_TALK = `I've read your message: “…” ${WHAT_I_DO}`;
const TALE = 'lorem ipsum dolor '.repeat(400);

describe('what belongs to an open wish', () => {
  it('is every message since it was uttered', () => {
    expect(saidSoFar(['book a cut', ASK_WHEN], ['it is for my son', SMALL_TALK], ['monday', ASK_TIME])).toEqual([
      'book a cut',
      'it is for my son',
      'monday',
    ]);
  });

  it('is an order that answers our question, and what was said before it', () => {
    expect(saidSoFar(['book a cut', ASK_WHEN], ['make it monday', ASK_TIME])).toEqual(['book a cut', 'make it monday']);
    expect(saidSoFar(['move my cut', ASK_WHEN], ['move it to friday', ASK_TIME])).toEqual(['move my cut', 'move it to friday']);
    expect(saidSoFar(['move my cut', ASK_WHEN], ['book a massage', ASK_TIME])).toEqual(['book a massage']);
    expect(saidSoFar(['book a cut', ASK_WHEN], ['cancel my visit', ASK_WHICH])).toEqual(['cancel my visit']);
  });

  it('is no long tale that was answered with small talk', () => {
    expect(saidSoFar(['book a cut', ASK_WHEN], [TALE, SMALL_TALK], ['monday', ASK_TIME])).toEqual(['book a cut', 'monday']);
  });

  it('is a long tale that was the wish', () => {
    expect(saidSoFar([`${TALE} book a cut`, ASK_WHEN], ['monday', ASK_TIME])).toHaveLength(2);
  });

  it('is looked for in the last messages only', () => {
    const answers = Array.from({ length: 40 }, (): Exchange => ['monday', ASK_TIME]);
    expect(saidSoFar(['book a cut', ASK_WHEN], ...answers.slice(0, 10))).toHaveLength(11);
    expect(saidSoFar(['book a cut', ASK_WHEN], ...answers)).toBeNull();
  });

  it('is what began it and the last eleven messages of a long search for a time, whoever began it', () => {
    const days = Array.from({ length: 14 }, (_, at) => `make it ${at % 2 === 0 ? 'monday' : 'friday'}`);
    const asked = days.map((day): Exchange => [day, ASK_TIME]);
    expect(saidSoFar(['book a cut', ASK_WHEN], ...asked)).toEqual(['book a cut', ...days.slice(-11)]);
  });
});
