import { looseJson } from './loose-json.js';
import { type Wire, isObject } from './wire.js';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Null if the arguments are no JSON object. */
  readonly args: Wire | null;
  /** To send back with the call, such as Gemini's signature. */
  readonly extra?: Wire;
}

export const ARGUMENTS = [
  'arguments',
  'parameters',
  'args',
  'input',
  'params',
  'action_input',
  'tool_input',
  'tool_args',
] as const;
export const NAMES = ['name', 'function', 'tool', 'tool_name', 'function_name', 'action', 'recipient_name'] as const;
const IN_CALL = new RegExp(
  `^(?:${[...NAMES, ...ARGUMENTS].join('|')}|type|index|(?:tool_call_)?id|extra_content|thoughts?|reasoning)$`,
);
/** Some servers put an empty object before streamed arguments. */
const EMPTY_BEFORE = /^\s*\{\s*\}\s*(?=\{)/;
/** Arguments may be JSON within JSON. */
const DEEPEST_ENCODING = 3;

/** The only tool named in the text; null for none or several. */
export function toolNamed(text: string, tools: readonly string[]): string | null {
  if (tools.includes(text)) return text;
  const found = new Set(
    text
      .toLowerCase()
      .split(/(?:[^a-z_]|_(?![a-z])|(?<![a-z])_)+/)
      .filter((part) => tools.includes(part)),
  );
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

/** The arguments as an object, encoded never, once or twice; null if there are none. */
export function argsOf(given: unknown): Wire | null {
  let value = given;
  for (let depth = 0; typeof value === 'string' && depth < DEEPEST_ENCODING; depth += 1) {
    if (value.trim() === '') return {};
    value = looseJson(value.replace(EMPTY_BEFORE, ''));
    if (value === undefined) return null;
  }
  if (value === undefined || value === null) return {};
  const args = unwrapped(value);
  return isObject(args) && isSerializable(args) ? args : null;
}

function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? value[0] : null;
  const inner = isObject(value) ? member(value, ARGUMENTS) : undefined;
  const isCall = isObject(inner) && Object.keys(value as Wire).every((key) => IN_CALL.test(key));
  return isCall ? inner : value;
}

/** Arguments are sent back to the model; nested too deep they cannot be serialized. */
function isSerializable(value: Wire): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function member(wire: Wire, names: readonly string[]): unknown {
  const name = names.find((each) => wire[each] !== undefined);
  return name === undefined ? undefined : wire[name];
}

/** The name and arguments of a call in any known shape; null without a name. */
export function shapeOf(wire: Wire): { readonly name: string; readonly args: unknown; readonly hasArgs: boolean } | null {
  const inner = wire['function'];
  const asked = isObject(inner) ? inner : wire;
  const name = member(asked, NAMES);
  const args = member(asked, ARGUMENTS) ?? member(wire, ARGUMENTS);
  return typeof name === 'string' ? { name, args: args ?? otherArgs(asked), hasArgs: args !== undefined } : null;
}

function otherArgs(call: Wire): unknown {
  const others = Object.entries(call).filter(([key]) => !IN_CALL.test(key));
  return others.map(([, value]) => value).find(isObject) ?? Object.fromEntries(others);
}

/** A call sent as such. One without a name is kept, so that the model learns of it. */
export function callOf(value: unknown, tools: readonly string[]): ToolCall {
  const wire = isObject(value) ? value : {};
  const { id, extra_content: extra } = wire;
  const { name, args } = shapeOf(wire) ?? { name: '', args: undefined };
  return {
    id: typeof id === 'string' ? id : '',
    name: toolNamed(name, tools) ?? name,
    args: argsOf(args),
    ...(isObject(extra) && { extra }),
  };
}
