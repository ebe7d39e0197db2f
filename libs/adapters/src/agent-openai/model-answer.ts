import { AgentFailed } from '@ports/agent.port';
import { spoken } from './spoken.js';

const MOST_CALLS = 32;

export interface ToolCall {
  /** Empty where the server sent none. */
  readonly id: string;
  readonly name: string;
  /** Null where the model's arguments are no JSON object. */
  readonly args: Readonly<Record<string, unknown>> | null;
  /** To be sent back with the call, such as Gemini's signature. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ModelAnswer {
  /** Empty where the model only calls tools. */
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** The model's reasoning, where the server sends it apart from the content; else empty. */
  readonly thoughts: string;
  /** To be sent back with the message, such as OpenRouter's reasoning. */
  readonly details?: readonly unknown[];
}

type Wire = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function argsOf(value: unknown): Wire | null {
  if (value === undefined || value === null || value === '') return {};
  try {
    const args: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    // The arguments are sent back to the model: too deep a nesting cannot be serialised.
    JSON.stringify(args);
    return isObject(args) ? args : null;
  } catch {
    return null;
  }
}

function callOf(value: unknown): ToolCall {
  const wire = isObject(value) ? value : {};
  const asked = isObject(wire['function']) ? wire['function'] : {};
  const { id, extra_content: extra } = wire;
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof asked['name'] === 'string' ? asked['name'] : '',
    args: argsOf(asked['arguments']),
    ...(isObject(extra) && { extra }),
  };
}

/** The text: servers send a string, a list of parts, or a refusal. */
function contentOf(message: Wire): string {
  const { content, refusal } = message;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  const text = spoken(
    parts
      .map((part) => (isObject(part) ? part['text'] : part))
      .filter((part) => typeof part === 'string')
      .join(''),
  );
  if (text.trim() !== '') return text;
  return typeof refusal === 'string' ? refusal : '';
}

/** Reads a chat completion; throws `AgentFailed` where it is none. */
export function readAnswer(completion: unknown): ModelAnswer {
  const choices = isObject(completion) ? completion['choices'] : undefined;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(first) ? first['message'] : undefined;
  if (!isObject(message))
    throw new AgentFailed('malformed_reply', 'The model server answered with something else than a completion.');
  const calls: readonly unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const { reasoning_content: thoughts, reasoning_details: details } = message;
  return {
    content: contentOf(message),
    calls: calls.slice(0, MOST_CALLS).map(callOf),
    thoughts: typeof thoughts === 'string' ? thoughts : '',
    ...(Array.isArray(details) && { details }),
  };
}
