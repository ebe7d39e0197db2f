import { AgentFailed } from '@ports/agent.port';
import { type Wire, isObject } from './wire.js';

export type Trouble = 'size' | 'content' | 'turns' | 'system' | 'tools' | 'stream' | 'generation' | 'unknown';

const DAY_MS = 86_400_000;
/** Only plain codes are logged: servers quote requests in their messages. */
const CODE = /^[A-Za-z][\w.-]{0,63}$/;

const REFUSING = String.raw`(?:\b(?:cannot|not|only|must|invalid|disabled|forbidden|extra|un(?:supported|expected|known|recognized|available))\b|n't\b)`;
/** Not where the request is quoted: `"stream": true`. */
const STREAM = String.raw`\bstream(?:ing|ed)?\b(?!\\?"\s*:)`;
/** The first match counts. The wordings are those of the servers in docs/agents.md. */
const WORDINGS: readonly (readonly [Trouble, RegExp])[] = [
  // The server cannot parse what its own model wrote, and may quote it.
  [
    'generation',
    /tool_use_failed|failed_generation|parse_failed|failed to (?:call a function|parse (?:tool[ _]calls?|input|output))|(?:error|failed) parsing tool[ _]call|unexpected tokens? (?:remaining|\d+ while)/i,
  ],
  [
    'size',
    /context[_ -]?(?:length|window|size)|n_ctx|max_model_len|string_above_max_length|(?:request|payload|prompt|input|message|entity|body|content)s?[_ ](?:is |are |was |were )?too[_ ](?:large|long|big)|too many (?:input |prompt )?tokens|token limit|max(?:imum)?[_ ](?:number of )?(?:input |prompt |context )?(?:tokens|length)|(?:input|prompt|request)(?: \w+)? length|longer than the|tokens?\b.{0,60}(?:\bexceed|must be <)|exceed\w*\b.{0,60}\b(?:tokens?|context|length|limit|size)\b|(?:less|fewer) than \d+ tokens|reduce (?:the|your) (?:length|size|prompt|input|messages)/i,
  ],
  [
    'content',
    /content[_ -]?(?:filter|policy|management|moderation)|policy[_ -]?violation|policyviolation|usage (?:polic|guideline)|responsible ?ai|moderat(?:ed|ion)|\bflagged\b|\bsafety|data_?inspection|inappropriate|sensitive|guardrail|prohibited|harmful|jailbreak|\bblocked\b|\brisks?\b/i,
  ],
  ['stream', new RegExp(`${REFUSING}.{0,80}${STREAM}|${STREAM}.{0,80}${REFUSING}`, 'i')],
  ['turns', /alternat|consecutive|last role|\brole\b.{0,40}\bafter role|\bturn\b.{0,40}\bafter/i],
  ['system', /\bsystem\b|developer (?:role|message|instruction)/i],
  ['tools', /\btools?\b|\btool[_ -]?(?:choice|calls?|use)|function[_ -]?call|\bfunctions?\b/i],
  ['turns', /\broles?\b|template|jinja|(?:first|last) message/i],
];
const HOPELESS =
  /api[_ -]?key|no models? loaded|(?:credit|account) balance|billing|model\b.{0,80}\b(?:not found|not exist|doesn't exist|not loaded)|no such model|unknown model|invalid model|model_not_found|deploymentnotfound/i;
/** llama.cpp and gateways answer 500 if the chat template or the model refuses the request. */
const LAST_ABOUT_THE_FORM = 501;
const NEVER_ABOUT_THE_FORM = [401, 402, 405, 407, 408];
const MAYBE_ABOUT_THE_FORM = [400, 404, 413, 422, 501];
const BUSY = [429, 503];

/** The server, its filter or its chat template refuses the request, but may accept another form. */
export class QuestionRefused extends AgentFailed {
  constructor(
    message: string,
    readonly trouble: Trouble,
  ) {
    super('http_error', message);
  }
}

function codeOf(body: unknown): string | null {
  if (!isObject(body)) return null;
  const error: Wire = isObject(body['error']) ? body['error'] : body;
  const inner = isObject(error['innererror']) ? error['innererror'] : {};
  const code = [error['code'], error['type'], error['error_type'], inner['code']].find(
    (each) => typeof each === 'string' && CODE.test(each),
  );
  return typeof code === 'string' ? code : null;
}

function troubleOf(status: number, code: string | null, text: string): Trouble | null {
  if (NEVER_ABOUT_THE_FORM.includes(status) || status < 400 || status > LAST_ABOUT_THE_FORM) return null;
  if (status === 413) return 'size';
  const [byCode] = WORDINGS.filter(([, wording]) => code !== null && wording.test(code)).filter(([trouble]) =>
    ['size', 'content'].includes(trouble),
  );
  if (byCode) return byCode[0];
  if (HOPELESS.test(text)) return null;
  const [trouble] = WORDINGS.find(([, wording]) => wording.test(text)) ?? ['unknown' as const];
  if (status === 429) return /request too large/i.test(text) ? 'size' : null;
  if (status === 403) return trouble === 'content' ? trouble : null;
  return trouble !== 'unknown' || MAYBE_ABOUT_THE_FORM.includes(status) ? trouble : null;
}

function retryAfterOf(headers: Headers): number | null {
  const inMs = Number(headers.get('retry-after-ms')?.trim() || NaN);
  if (inMs >= 0) return Math.min(inMs, DAY_MS);
  const given = headers.get('retry-after');
  if (given === null || given.trim() === '') return null;
  // A date is relative to the server's own clock.
  const ms = Number.isNaN(Number(given)) ? Date.parse(given) - Date.parse(headers.get('date') ?? '') : Number(given) * 1_000;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), DAY_MS);
}

/** Interprets a status other than 2xx. The message stays here: servers quote requests in it. */
export function modelFailureOf(status: number, headers: Headers, text: string, body: unknown): AgentFailed {
  const code = codeOf(body);
  const message = `The model server answered with HTTP ${status}${code === null ? '' : ` (${code})`}.`;
  const trouble = troubleOf(status, code, text);
  if (trouble !== null) return new QuestionRefused(message, trouble);
  return new AgentFailed('http_error', message, BUSY.includes(status) ? retryAfterOf(headers) : null);
}

export function errorIn(body: unknown): Wire | null {
  const only: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  if (!isObject(only) || Array.isArray(only['choices'])) return null;
  const { error, object } = only;
  if (isObject(error)) return error;
  if (typeof error === 'string') return { message: error };
  return object === 'error' ? only : null;
}

/** Some gateways send errors with a 200; null if the body is none. */
export function modelFailureIn(body: unknown, headers: Headers): AgentFailed | null {
  const error = errorIn(body);
  if (error === null) return null;
  const { code, status } = error;
  const told = [code, status].map(Number).find((each) => each >= 400 && each < 600);
  const failure = modelFailureOf(told ?? 400, headers, JSON.stringify(body), body);
  const isKnown = failure instanceof QuestionRefused && failure.trouble !== 'unknown';
  return isKnown || told !== undefined ? failure : null;
}
