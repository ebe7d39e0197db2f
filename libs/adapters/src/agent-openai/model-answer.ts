import { AgentFailed } from '@ports/agent.port';
import { callsInText } from './calls-in-text.js';
import { channelsOf } from './channels.js';
import { withPieces } from './pieces.js';
import { type ToolCall, callOf } from './tool-call.js';
import { ownMessage } from './own-message.js';
import { endsThoughtsUnbegun, spoken } from './spoken.js';
import { type Wire, isObject } from './wire.js';

const MAX_CALLS = 32;
const MAX_PIECES = 1_000;
/** Parts for the customer; all others are thoughts or not readable. */
const VISIBLE_PARTS = ['text', 'output_text', undefined];
const CALLING_PARTS = ['tool_use', 'tool_call', 'function_call'];
/** Words in the reason of an early end; the first match counts. Any other reason means a complete answer. */
const REASONS: readonly (readonly [Fault, RegExp])[] = [
  ['unreadable_call', /malformed|unexpected_tool/],
  ['content_filter', /filter|safety|toxic|recitation|prohibited|blocklist|sensitive|spii|guardrail|moderat|refusal/],
  ['length', /length|max_|limit|exceed|insufficient|error|abort|cancel|repetition|incomplete/],
];

export type Fault = 'length' | 'content_filter' | 'unreadable_call' | 'empty';

export interface ModelAnswer {
  /** Empty if the model only calls tools, or failed. */
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** The model's reasoning, if sent apart from the content; else empty. */
  readonly thoughts: string;
  /** To send back with the message, such as OpenRouter's reasoning. */
  readonly details?: readonly unknown[];
  readonly fault: Fault | null;
  /** Its thoughts were in its text without a mark before them. */
  readonly beganInThoughts: boolean;
}

function partsOf({ content }: Wire): readonly unknown[] {
  return Array.isArray(content) ? content : [content];
}

function wordsOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return '';
  const { type, text, refusal, thought } = part;
  if (type === 'refusal') return typeof refusal === 'string' ? refusal : '';
  if (thought === true || !VISIBLE_PARTS.includes(type as string | undefined)) return '';
  const value = isObject(text) ? text['value'] : text;
  return typeof value === 'string' ? value : '';
}

function callsIn(message: Wire): readonly unknown[] {
  const { tool_calls: given, function_call: legacy } = message;
  const called = partsOf(message).filter((part) => isObject(part) && CALLING_PARTS.includes(String(part['type'])));
  const sent: readonly unknown[] = Array.isArray(given) ? given : isObject(given) ? [given] : [];
  return sent.length > 0 ? sent : isObject(legacy) ? [legacy] : called;
}

/** Whether a message, which may be unfinished, calls tools in the form of the protocol. */
export function hasCalls(message: Wire): boolean {
  return callsIn(message).length > 0;
}

function sentCalls(message: Wire, tools: readonly string[]): readonly ToolCall[] {
  const all = callsIn(message);
  const calls = all.slice(0, MAX_CALLS).map((call) => callOf(call, tools));
  if (calls.every(hasArgs)) return calls;
  const joined = withPieces([], all.slice(0, MAX_PIECES)).map((call) => callOf(call, tools));
  return joined.every(hasArgs) ? joined.slice(0, MAX_CALLS) : calls;
}

function hasArgs({ args }: ToolCall): boolean {
  return args !== null;
}

function faultIn(reason: unknown): Fault | null {
  const why = typeof reason === 'string' ? reason.toLowerCase() : '';
  return REASONS.find(([, words]) => words.test(why))?.[0] ?? null;
}

function areWhole(calls: readonly ToolCall[]): boolean {
  return calls.length > 0 && calls.every(hasArgs);
}

type Read = Pick<ModelAnswer, 'content' | 'calls' | 'fault'>;

function readMessage(message: Wire, text: string, reason: unknown, tools: readonly string[]): Read {
  const channels = channelsOf(text);
  const read = callsInText(spoken(ownMessage(channels?.words ?? text)), tools);
  const inChannels = callsInText(channels?.calls ?? '', tools);
  const sent = sentCalls(message, tools);
  const calls = sent.length > 0 ? sent : [...read.calls, ...inChannels.calls].slice(0, MAX_CALLS);
  const isBroken = calls.length === 0 && (read.isBroken || inChannels.isBroken);
  const end = faultIn(reason);
  // Complete calls run, even if the answer was cut off after them.
  const fault = (end === 'length' && areWhole(calls) ? null : end) ?? (isBroken ? 'unreadable_call' : null);
  if (fault !== null) return { content: '', calls: [], fault };
  const { refusal } = message;
  const isSilent = read.content.trim() === '' && typeof refusal === 'string';
  const content = end !== null ? '' : isSilent ? refusal : read.content;
  return { content, calls, fault: content.trim() === '' && calls.length === 0 ? 'empty' : null };
}

/** Reads a chat completion; throws `AgentFailed` if it is none. */
export function readAnswer(completion: unknown, tools: readonly string[] = []): ModelAnswer {
  const choices = isObject(completion) ? completion['choices'] : undefined;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(first) ? first['message'] : undefined;
  if (!isObject(first) || !isObject(message))
    throw new AgentFailed('malformed_reply', 'The model server did not answer with a completion.');
  const { reasoning_content: thoughts, reasoning_details: details } = message;
  const text = partsOf(message).map(wordsOfPart).join('');
  return {
    ...readMessage(message, text, first['finish_reason'], tools),
    beganInThoughts: endsThoughtsUnbegun(text),
    thoughts: typeof thoughts === 'string' ? thoughts : '',
    ...(Array.isArray(details) && { details }),
  };
}
