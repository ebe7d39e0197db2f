import { codePointsOf } from '@domain/kernel/code-points';
import type { AgentTurn, HandedBack, TranscriptLine } from '@ports/agent.port';
import { MEMORY_BOUNDS } from '@ports/memory-bounds';
import { iso, transcriptLine, onOneLine } from './transcript-line.js';

/** What humans and the customer said while a human had the conversation; nothing of the message to answer. */
export function meanwhile({ handedBack }: AgentTurn, lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
  if (handedBack === null) return [];
  const { handedOffAt, resumedAt } = handedBack;
  return lines
    .slice(0, -1)
    .filter(({ role, human, at }) => (role === 'user' || human !== undefined) && at >= handedOffAt && at <= resumedAt);
}

/** The newest that fit into the bound of a memory. */
function newest(lines: readonly string[]): readonly string[] {
  let left = MEMORY_BOUNDS.codePoints;
  return lines.slice(lines.findLastIndex((line) => (left -= codePointsOf(line) + 1) < 0) + 1);
}

/** Tells the model where a human had the conversation in its place. */
export function boundaryNote({ handedOffAt, resumedAt, note }: HandedBack, said: readonly TranscriptLine[]): string {
  return [
    `A human colleague had this conversation from ${iso(handedOffAt)} to ${iso(resumedAt)} and gave it back to you: go on from there. Messages that begin with a name and "human colleague" in brackets were written by people; never begin yours so.`,
    ...(note === null ? [] : [`What the colleague wants you to know: ${onOneLine(note)}`]),
    ...(said.length === 0 ? [] : ['What was said meanwhile:', ...newest(said.map(transcriptLine))]),
  ].join('\n');
}
