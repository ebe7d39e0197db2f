import type { CustomerMemory, TranscriptLine } from '@ports/agent.port';

/** How much a model is told: the messages of this conversation, and what is remembered of the customer. */
export interface Extent {
  /** Oldest first; the last is the one to answer. */
  readonly lines: readonly TranscriptLine[];
  readonly remembered: CustomerMemory;
  /** Nothing is told but the instructions and the message to answer. */
  readonly isAlone: boolean;
}

function withReply(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
  return lines.filter(({ failed }, index) => failed !== true || index === lines.length - 1);
}

/** In characters: what a message adds to a request besides its content. */
const BESIDE_CONTENT = 32;

function lengthOf({ content }: TranscriptLine): number {
  return content.length + BESIDE_CONTENT;
}

/** The last message, and the newest before it that have so many characters together. */
function newest(lines: readonly TranscriptLine[], characters: number): readonly TranscriptLine[] {
  let left = characters;
  const before = lines.slice(0, -1);
  return lines.slice(before.findLastIndex((line) => (left -= lengthOf(line)) < 0) + 1);
}

function halfOf(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
  const all = lines.reduce((sum, line) => sum + lengthOf(line), 0);
  return newest(lines, all / 2 - lines.slice(-1).reduce((sum, line) => sum + lengthOf(line), 0));
}

/** Without messages whose turns failed. */
export function answered({ lines, remembered, isAlone }: Extent): Extent {
  const conversations = remembered.conversations.map((past) => ({
    ...past,
    lines: past.lines.filter(({ failed }) => failed !== true),
  }));
  return { lines: withReply(lines), remembered: { ...remembered, conversations }, isAlone };
}

/** The newest half of that. */
export function half(extent: Extent): Extent {
  const { lines, ...others } = answered(extent);
  return { lines: halfOf(lines), ...others };
}

/** Half of it again, without earlier conversations. */
export function here({ lines, remembered, isAlone }: Extent): Extent {
  return { lines: halfOf(withReply(lines)), remembered: { ...remembered, conversations: [] }, isAlone };
}

/** The message to answer alone. */
export function alone({ lines }: Extent): Extent {
  return { lines: lines.slice(-1), remembered: { appointments: [], conversations: [] }, isAlone: true };
}

/** As much as fits into the characters that `spare` says are left for messages, without earlier conversations. */
export function fitted({ lines, remembered, isAlone }: Extent, spare: number): Extent {
  return { lines: newest(withReply(lines), spare), remembered: { ...remembered, conversations: [] }, isAlone };
}
