import { mergedInto } from './pieces.js';
import { errorIn } from './model-failure.js';
import { type Wire, isObject } from './wire.js';

/** In characters: more than any answer of a model. Parsing this much of nested brackets takes 0.1 s. */
const MAX_JSON_LENGTH = 1024 * 1024;
const LAST_LINE = /\s{0,8}data:\s*\[DONE\]\s*$/;
const BEFORE_JSON = /^[\ufeff\s\0]+/;

/** Whether nothing follows this: servers that stream may keep the connection. */
export function isDone(text: string): boolean {
  return LAST_LINE.test(text.slice(-40));
}

function parsed(text: string): unknown {
  if (text.length > MAX_JSON_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON of a stream's events, or of lines that hold one each. */
function documentsOf(text: string): unknown[] {
  const found: unknown[] = [];
  let event = '';
  const end = () => {
    const value = parsed(event);
    if (value !== undefined) found.push(value);
    event = '';
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    const data = line.replace(/^data:\s?/, '');
    const isNoise = data === line && /^(?::|event:|id:|retry:)/.test(line);
    if (isNoise) continue;
    if (line.trim() === '' || data.trim() === '[DONE]') {
      end();
      continue;
    }
    const isFirst = event === '';
    event += isFirst ? data : `\n${data}`;
    // One that is complete on its first line needs no blank line behind it.
    if (isFirst && parsed(event) !== undefined) end();
  }
  end();
  return found;
}

/** The completion whose pieces these are. */
function assembled(pieces: readonly Wire[], isComplete: boolean): Wire {
  const message: Record<string, unknown> = {};
  let reason: unknown = null;
  for (const { choices } of pieces) {
    const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(first)) continue;
    if (isObject(first['delta'])) mergedInto(message, first['delta']);
    reason = first['finish_reason'] ?? reason;
  }
  return { choices: [{ message, finish_reason: reason ?? (isComplete ? null : 'error') }] };
}

function isPiece(value: unknown): value is Wire {
  const choices = isObject(value) ? value['choices'] : undefined;
  return Array.isArray(choices) && (choices.length === 0 || (isObject(choices[0]) && isObject(choices[0]['delta'])));
}

/**
 * The JSON of an answer, whichever way it came: alone, with something around it, or streamed though nobody asked for that.
 * Undefined where there is none.
 */
export function readAnswerBody(text: string): unknown {
  const bare = text.replace(BEFORE_JSON, '');
  const whole = parsed(bare.replace(LAST_LINE, ''));
  if (whole !== undefined) return whole;
  const documents = documentsOf(bare);
  const failed = documents.find((each) => errorIn(each) !== null);
  const complete = documents.find((each) => !isPiece(each) && isObject(each) && Array.isArray(each['choices']));
  const pieces = documents.filter(isPiece);
  return failed ?? complete ?? (pieces.length > 0 ? assembled(pieces, isDone(text)) : documents[0]);
}
