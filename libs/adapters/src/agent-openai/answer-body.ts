import { mergedInto } from './pieces.js';
import { errorIn } from './model-failure.js';
import { type Wire, isObject } from './wire.js';

/** In characters, longer than any answer. Parsing so many nested brackets takes 0.1 s. */
const MAX_JSON_LENGTH = 1024 * 1024;
const LAST_LINE = /\s{0,8}data:\s*\[DONE\]\s*$/;
const BEFORE_JSON = /^[\ufeff\s\0]+/;
const LINE_BREAK = /\r\n|\n|\r/;

function parsed(text: string): unknown {
  if (text.length > MAX_JSON_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Finds the JSON documents of an event stream, or of one line each, as the text arrives. */
class Documents {
  private line = '';
  private event = '';

  constructor(private readonly found: (document: unknown) => void) {}

  add(text: string): void {
    const isBroken = /[\r\n]/.test(text);
    this.line += text;
    if (!isBroken) return;
    // The line feed that belongs to a carriage return at the end may be still to come.
    const held = this.line.endsWith('\r') ? '\r' : '';
    const lines = this.line.slice(0, this.line.length - held.length).split(LINE_BREAK);
    this.line = (lines.pop() ?? '') + held;
    for (const line of lines) this.take(line);
  }

  end(): void {
    for (const line of this.line.split(LINE_BREAK)) this.take(line);
    this.line = '';
    this.endEvent();
  }

  private take(given: string): void {
    const line = given.replace(BEFORE_JSON, '');
    const data = line.replace(/^data:\s?/, '');
    const isNoise = data === line && /^(?::|event:|id:|retry:)/.test(line);
    if (isNoise) return;
    if (line.trim() === '' || data.trim() === '[DONE]') return this.endEvent();
    const isFirst = this.event === '';
    this.event += isFirst ? data : `\n${data}`;
    // An event complete on its first line needs no blank line after it.
    const document = isFirst ? parsed(data) : undefined;
    if (document === undefined) return;
    this.event = '';
    this.found(document);
  }

  private endEvent(): void {
    const document = parsed(this.event);
    this.event = '';
    if (document !== undefined) this.found(document);
  }
}

function isPiece(value: unknown): value is Wire {
  const choices = isObject(value) ? value['choices'] : undefined;
  return Array.isArray(choices) && (choices.length === 0 || (isObject(choices[0]) && isObject(choices[0]['delta'])));
}

/** Reads the JSON of an answer as its text arrives: a stream of pieces, or one document alone or with text around it. */
export class AnswerBody {
  private text = '';
  private end = '';
  private readonly documents = new Documents((document) => this.take(document));
  private readonly message: Record<string, unknown> = {};
  private reason: unknown = null;
  private hasPieces = false;
  private failed: unknown;
  private complete: unknown;
  private other: unknown;

  /** `arrived` gets the message of a stream as far as it has come, after each piece. */
  constructor(private readonly arrived: (message: Wire) => void = () => undefined) {}

  add(text: string): void {
    // A longer text is no single document.
    if (this.text.length <= MAX_JSON_LENGTH) this.text += text;
    this.end = (this.end + text).slice(-40);
    this.documents.add(text);
  }

  /** The stream has ended, after which servers may keep the connection open. */
  get isDone(): boolean {
    return LAST_LINE.test(this.end);
  }

  /** The first mebibyte, for what a server says about a failure. */
  get beginning(): string {
    return this.text;
  }

  /** Of all that was added; undefined if there is no JSON in it. */
  read(): unknown {
    this.documents.end();
    const whole = parsed(this.text.replace(BEFORE_JSON, '').replace(LAST_LINE, ''));
    return whole ?? this.failed ?? this.complete ?? (this.hasPieces ? this.assembled() : this.other);
  }

  private take(document: unknown): void {
    if (errorIn(document) !== null) this.failed ??= document;
    else if (isPiece(document)) this.extend(document);
    else if (isObject(document) && Array.isArray(document['choices'])) this.complete ??= document;
    else this.other ??= document;
  }

  private extend({ choices }: Wire): void {
    this.hasPieces = true;
    const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(first)) return;
    this.reason = first['finish_reason'] ?? this.reason;
    if (!isObject(first['delta'])) return;
    mergedInto(this.message, first['delta']);
    this.arrived(this.message);
  }

  private assembled(): Wire {
    const reason = this.reason ?? (this.isDone ? null : 'error');
    return { choices: [{ message: this.message, finish_reason: reason }] };
  }
}
