import { channelsOf } from './channels.js';
import { howItBegins } from './how-it-begins.js';
import { ownMessage } from './own-message.js';
import { endOfThoughts } from './spoken.js';
import { SUSPECT, judged } from './suspects.js';

/** How far a text that is still being written has been judged. */
export interface Progress {
  /** Offset in the text: all before it has been streamed, or never will be. */
  readonly at: number;
  /** Whether the reply itself has begun, after white space, thoughts and what may become a call. */
  readonly hasBegun: boolean;
  /** Nothing more can be said before the text is complete. */
  readonly isOver: boolean;
  /** Inside thoughts, the length of the text when their end was last searched for; else 0. */
  readonly seen: number;
  /** How many such searches were made. */
  readonly looks: number;
}

export const AT_THE_BEGINNING: Progress = { at: 0, hasBegun: false, isOver: false, seen: 0, looks: 0 };

interface Speakable {
  readonly words: string;
  readonly progress: Progress;
}

const BLANK = /[\s\0]/;
/** Matches a part of every mark that closes thoughts. */
const MAY_CLOSE = /<\/|\[\/|◁\/|<\|\/|<\|\w{0,40}(?:end|suffix)|<channel\|/i;
const MAX_MARK_LENGTH = 80;
/** Each search scans all the thoughts. */
const MAX_LOOKS = 500;
/** A reply has at most so many code points. */
const MAX_LENGTH = 32_000;
/** In characters: the undecided end is scanned again with each chunk, so it must stay short. */
const MAX_UNDECIDED = 4_000;
const MAX_TOOL_NAME_LENGTH = 64;

function over(progress: Progress): Progress {
  return { ...progress, isOver: true };
}

/** Whether this text can be cut off: no channel or template token in it affects the rest of the answer. */
function standsAlone(text: string): boolean {
  return channelsOf(text) === null && ownMessage(text) === text;
}

function begun(text: string, progress: Progress, tools: readonly string[]): Progress {
  let { at } = progress;
  for (;;) {
    while (BLANK.test(text.charAt(at))) at += 1;
    const waiting: Progress = { ...progress, at, seen: 0 };
    const thinking: Progress = { ...waiting, seen: text.length };
    const mayBeThought = '<[◁'.includes(text.charAt(at));
    if (mayBeThought && progress.seen > 0 && !MAY_CLOSE.test(text.slice(Math.max(0, progress.seen - MAX_MARK_LENGTH))))
      return thinking;
    const rest = text.slice(at);
    const end = mayBeThought ? endOfThoughts(rest) : 0;
    if (end < 0) return { ...thinking, looks: progress.looks + 1, isOver: progress.looks > MAX_LOOKS };
    // Waits for the next character: a backquote there may mean that the mark is quoted.
    if (end > 0 && end === rest.length) return waiting;
    if (!standsAlone(rest.slice(0, end))) return over(progress);
    at += end;
    if (end > 0) continue;
    const beginning = howItBegins(rest, tools);
    if (beginning === 'over') return over(progress);
    return beginning === 'wait' ? waiting : { ...waiting, hasBegun: true };
  }
}

function indexOfName(text: string, tools: readonly string[]): number {
  const found = tools.map((tool) => text.indexOf(tool)).filter((index) => index >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Where the first text begins that may not be reply, and whether only the complete text can decide. */
function doubtIn(text: string, at: number, tools: readonly string[]): { readonly from: number; readonly isOver: boolean } {
  let from = text.length;
  let isOver = false;
  SUSPECT.lastIndex = at;
  for (let found = SUSPECT.exec(text); found; found = SUSPECT.exec(text)) {
    const verdict = judged(text, found.index, found[0]);
    if (typeof verdict === 'number') {
      SUSPECT.lastIndex = found.index + verdict;
      continue;
    }
    from = found.index;
    isOver = verdict === 'over';
    break;
  }
  const since = Math.max(0, at - MAX_TOOL_NAME_LENGTH);
  const named = indexOfName(text.slice(since, from).toLowerCase(), tools);
  if (named >= 0) return { from: Math.max(at, since + named), isOver: true };
  const last = from < text.length ? '' : (/[a-z_]{1,64}$/i.exec(text.slice(since))?.[0] ?? '');
  const isName = last !== '' && tools.some((tool) => tool.startsWith(last.toLowerCase()));
  return { from: isName ? Math.max(at, from - last.length) : from, isOver };
}

/** The end before trailing white space, which may end the whole reply, and before half a surrogate pair. */
function wholeEnd(text: string, at: number, from: number): number {
  let end = from;
  if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
  while (end > at && BLANK.test(text.charAt(end - 1))) end -= 1;
  return Math.max(end, at);
}

/**
 * The next words of an unfinished text that can be streamed: all of them together are a prefix of its reply. Leaves out thoughts,
 * calls, tokens of chat templates, and what may still become one.
 */
export function speakable(text: string, before: Progress, tools: readonly string[]): Speakable {
  const progress = before.hasBegun || before.isOver ? before : begun(text, before, tools);
  if (progress.isOver || !progress.hasBegun) return { words: '', progress };
  const { at } = progress;
  const { from, isOver } = doubtIn(text, at, tools);
  const end = Math.min(wholeEnd(text, at, from), Math.max(at, MAX_LENGTH));
  const words = text.slice(at, end).toWellFormed().replaceAll('\0', '');
  const isLong = end >= MAX_LENGTH || text.length - end > MAX_UNDECIDED;
  return { words, progress: { ...progress, at: end, isOver: isOver || isLong } };
}
