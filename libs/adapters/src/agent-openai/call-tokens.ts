import { endOfJson, looseJson } from './loose-json.js';

/** Marks of calls: special tokens, tags, words in brackets, fences. */
const MARK =
  /<[|｜]?[^<>\n]{1,200}>|<[^<>{}"\s]{1,80}(?=\s?\{)|\[\/?(?:[A-Z][A-Z_]{2,30}|[a-z]{2,30}(?:_[a-z]{2,30}){1,5})\]|\[\|\w{1,40}\|\]|```[\w-]*/y;
/** An argument in its own tag, which the next one or the call's end may close. */
const PARAMETER =
  /<[\w:｜ ]{0,20}(?:parameter|argument)(?:=| name=| key=)"?([\w-]+)"?[^<>]*>\s?([\s\S]*?)\s?(?:<\/[\w:｜ ]{0,20}(?:parameter|argument)>|(?=<[\w:｜ ]{0,20}(?:parameter|argument)[ =]|<\/[\w:｜ ]{0,20}(?:function|invoke)>))/y;
const KEY_AND_VALUE =
  /<\w{0,20}arg_key[\w:]{0,20}>\s*([\w-]+)\s*<\/\w{0,20}arg_key[\w:]{0,20}>\s*<\w{0,20}arg_value[\w:]{0,20}>([\s\S]*?)<\/\w{0,20}arg_value[\w:]{0,20}>/y;
const ELEMENT = /<(\w{1,80})>([^<>{}]*)<\/\1>/y;
const CALL_ID = /\[CALL_ID\]\s*[\w-]+/y;
const WORD = /[^\s{[<`]+|[[<`]/y;

export type Token =
  | { readonly kind: 'mark' | 'word'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'parameter' | 'element'; readonly name: string; readonly value: string };

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export function* tokensOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length;) {
    const [space = ''] = matchAt(/\s*/y, text, at) ?? [];
    at += space.length;
    const parameter = matchAt(PARAMETER, text, at) ?? matchAt(KEY_AND_VALUE, text, at);
    const tagged = parameter ?? matchAt(ELEMENT, text, at);
    const mark = tagged ?? matchAt(CALL_ID, text, at) ?? matchAt(MARK, text, at);
    const end = mark ? at + mark[0].length : endOfJson(text, at);
    if (tagged) yield { kind: parameter ? 'parameter' : 'element', name: tagged[1] ?? '', value: tagged[2] ?? '' };
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
