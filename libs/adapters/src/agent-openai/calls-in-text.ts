import { endOfJson, looseJson } from './loose-json.js';
import { type ToolCall, argsOf, shapeOf, toolNamed } from './tool-call.js';
import { pythonCall } from './python-call.js';
import { isObject } from './wire.js';

/** What a model marks calls with: special tokens, tags, words in brackets, fences. */
const MARK = /<[|｜]?[^<>\n]{1,200}>|\[\/?[A-Z][A-Z_]{2,30}\]|```[\w-]*/y;
/** An argument in a tag of its own, as text. */
const PARAMETER = /<parameter(?:=| name=)"?([\w-]+)"?[^<>]*>\s?([\s\S]*?)\s?<\/parameter>/y;
const KEY_AND_VALUE = /<arg_key>\s*([\w-]+)\s*<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/y;
/** The id of a call, which stands before its arguments. */
const CALL_ID = /\[CALL_ID\]\s*[\w-]+/y;
const WORD = /[^\s{[<`]+|[[<`]/y;
const FILLER = /^(?:functions?|tools?|tool_calls?|call|commentary|json|assistant|[:;,()\d]+)$/i;
/** What no text for a customer holds. */
const FOREIGN =
  /<[|｜]?tool[_▁]?(?:calls?|sep)|\[TOOL_(?:CALLS?|REQUEST)\]|<function[=_]|<\|python_tag\|>|<invoke name|\bto=functions\./i;
const MOST_CHARACTERS = 100_000;

type Token =
  | { readonly kind: 'mark' | 'word'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string };

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function* tokensOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length;) {
    const [space = ''] = matchAt(/\s*/y, text, at) ?? [];
    at += space.length;
    const parameter = matchAt(PARAMETER, text, at) ?? matchAt(KEY_AND_VALUE, text, at);
    const mark = parameter ?? matchAt(CALL_ID, text, at) ?? matchAt(MARK, text, at);
    const end = mark ? at + mark[0].length : endOfJson(text, at);
    if (parameter) yield { kind: 'parameter', name: parameter[1] ?? '', value: parameter[2] ?? '' };
    else if (mark) yield { kind: 'mark', text: mark[0] };
    else if (/[{[]/.test(text.charAt(at)) && end > 0) yield { kind: 'json', value: looseJson(text.slice(at, end)) };
    else {
      const [word = ''] = matchAt(WORD, text, at) ?? [text.charAt(at)];
      if (word === '') return;
      yield { kind: 'word', text: word };
      at += word.length;
      continue;
    }
    at = end;
  }
}

/** Reads a text that is nothing but calls of these tools. */
class CallReader {
  readonly calls: ToolCall[] = [];
  private name: string | null = null;
  private parameters: Record<string, string> | null = null;

  constructor(private readonly tools: readonly string[]) {}

  /** Whether these are calls and nothing else. */
  readAll(tokens: Iterable<Token>): boolean {
    for (const token of tokens) if (!this.take(token)) return false;
    this.flush();
    return this.calls.length > 0;
  }

  /** False where the token is no part of a call. */
  private take(token: Token): boolean {
    switch (token.kind) {
      case 'mark':
        return this.mark(token.text);
      case 'word':
        return this.word(token.text);
      case 'json':
        return this.json(token.value);
      case 'parameter':
        this.parameters = { ...this.parameters, [token.name]: token.value };
        return this.name !== null;
    }
  }

  /** Ends the call whose arguments are parameters, or that has none. */
  private flush(): void {
    const { name, parameters } = this;
    if (name !== null) this.add(name, parameters ?? {});
    this.name = null;
    this.parameters = null;
  }

  private mark(text: string): boolean {
    if (text.startsWith('</')) {
      this.flush();
      return true;
    }
    return this.named(toolNamed(text, this.tools)) || true;
  }

  private word(text: string): boolean {
    return FILLER.test(text) || this.named(toolNamed(text, this.tools));
  }

  private named(name: string | null): boolean {
    if (name === null) return false;
    this.flush();
    this.name = name;
    return true;
  }

  private json(value: unknown): boolean {
    if (Array.isArray(value)) return value.length > 0 && value.every((each) => this.json(each));
    if (!isObject(value)) return false;
    if (Array.isArray(value['tool_calls'])) return this.json(value['tool_calls']);
    const call = this.callIn(value);
    if (call === null && this.name !== null) this.add(this.name, value);
    else if (call !== null) this.add(call.name, call.args);
    else return false;
    this.name = null;
    return true;
  }

  private callIn(value: Readonly<Record<string, unknown>>): { readonly name: string; readonly args: unknown } | null {
    const shape = shapeOf(value);
    const named = shape && toolNamed(shape.name, this.tools);
    if (shape && named !== null) return { name: named, args: shape.args };
    // A call of a tool that there is not: the model is told.
    if (shape?.hasArgs && this.name === null) return shape;
    const [[key, args] = ['', null], ...others] = Object.entries(value);
    return others.length === 0 && this.tools.includes(key) ? { name: key, args } : null;
  }

  private add(name: string, args: unknown): void {
    this.calls.push({ id: '', name, args: argsOf(args) });
  }
}

interface TextRead {
  /** What is told. */
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** The text holds a call that is not the whole of it, or that cannot be read: none of it is told. */
  readonly isBroken: boolean;
}

function holdsCall(text: string, tools: readonly string[]): boolean {
  if (FOREIGN.test(text)) return true;
  const name = String.raw`\b(?:${tools.join('|')})`;
  const asJson = String.raw`"(?:name|function|tool|tool_name)"\s*:\s*"[^"]{0,80}${name}\b|"${name}"\s*:\s*\{`;
  return tools.length > 0 && new RegExp(String.raw`${asJson}|${name}\((?:\{|\w+\s*=)`).test(text);
}

/** Reads a text that may be calls of tools: they run where they are the whole text, and nobody is told of them otherwise. */
export function callsInText(text: string, tools: readonly string[]): TextRead {
  const told = { content: text, calls: [], isBroken: false };
  if (text.length > MOST_CHARACTERS || !/[{[<`(]|to=/.test(text)) return told;
  const python = pythonCall(text, tools);
  if (python) return { content: '', calls: python, isBroken: false };
  const reader = new CallReader(tools);
  if (reader.readAll(tokensOf(text))) return { content: '', calls: reader.calls, isBroken: false };
  return holdsCall(text, tools) ? { content: '', calls: [], isBroken: true } : told;
}
