import { beginning } from '@domain/kernel/code-points';
import { nearestWritable } from '@domain/kernel/instant';
import type { TranscriptLine } from '@ports/agent.port';
import { MEMORY_BOUNDS } from '@ports/memory-bounds';

export function iso(at: number): string {
  return new Date(nearestWritable(at)).toISOString();
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** One line per message, so that no content can imitate another line. */
export function transcriptLine({ role, content, at, human }: TranscriptLine): string {
  const author = human === undefined ? role : `${onOneLine(human)} (human colleague)`;
  return `- ${iso(at)} ${author}: ${beginning(onOneLine(content), MEMORY_BOUNDS.messageCodePoints)}`;
}

/** The content of a message for the model. A human's begins with its author, since models know no third role. */
export function attributed({ content, human }: TranscriptLine): string {
  return human === undefined ? content : `[${onOneLine(human)}, human colleague:] ${content}`;
}
