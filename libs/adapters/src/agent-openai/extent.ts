import type { CustomerMemory, TranscriptLine } from '@ports/agent.port';
import { attributed } from './transcript-line.js';

/** The part of the conversation and of the customer's past that goes into a prompt. */
export interface Extent {
  /** Oldest first; the last is the one to answer. */
  readonly lines: readonly TranscriptLine[];
  readonly remembered: CustomerMemory;
  /** The messages from while a human had the conversation, repeated for the agent in the boundary note. */
  readonly meanwhile: readonly TranscriptLine[];
  readonly isAlone: boolean;
}

function withReply(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
  return lines.filter(({ failed }, index) => failed !== true || index === lines.length - 1);
}

const MESSAGE_OVERHEAD = 32;

function lengthOf(line: TranscriptLine): number {
  return attributed(line).length + MESSAGE_OVERHEAD;
}

/** The last message, and the newest before it that fit into so many characters. */
function newest(lines: readonly TranscriptLine[], characters: number): readonly TranscriptLine[] {
  let left = characters;
  const before = lines.slice(0, -1);
  return lines.slice(before.findLastIndex((line) => (left -= lengthOf(line)) < 0) + 1);
}

function halfOf(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
  const all = lines.reduce((sum, line) => sum + lengthOf(line), 0);
  return newest(lines, all / 2 - lines.slice(-1).reduce((sum, line) => sum + lengthOf(line), 0));
}

export function answered({ lines, remembered, ...others }: Extent): Extent {
  const conversations = remembered.conversations.map((past) => ({
    ...past,
    lines: past.lines.filter(({ failed }) => failed !== true),
  }));
  return { ...others, lines: withReply(lines), remembered: { ...remembered, conversations } };
}

export function half(extent: Extent): Extent {
  const { lines, ...others } = answered(extent);
  return { lines: halfOf(lines), ...others };
}

export function here({ lines, remembered, isAlone }: Extent): Extent {
  return { lines: halfOf(withReply(lines)), remembered: { ...remembered, conversations: [] }, meanwhile: [], isAlone };
}

export function alone({ lines }: Extent): Extent {
  return { lines: lines.slice(-1), remembered: { appointments: [], conversations: [] }, meanwhile: [], isAlone: true };
}

/** As much as fits into the characters that `spare` allows, without earlier conversations. */
export function fitted({ lines, remembered, isAlone }: Extent, spare: number): Extent {
  return { lines: newest(withReply(lines), spare), remembered: { ...remembered, conversations: [] }, meanwhile: [], isAlone };
}
