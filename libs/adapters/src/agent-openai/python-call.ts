import { type ToolCall, toolNamed } from './tool-call.js';

const CALL = /^\[?\s*([\w.]+)\(([\s\S]*)\)\s*\]?$/;
const PRINTED = /^print\(([\s\S]*)\)$/;
const FENCED = /^```(?:tool_code|tool_call|python)?\s*([\s\S]*?)\s*```$/;
const ARGUMENT = /\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|true|false|none|null)\s*(?:,|$)/iy;

function valueOf(text: string): unknown {
  const quote = text.charAt(0);
  if (quote === '"' || quote === "'") return text.slice(1, -1).replace(/\\(["'\\])/g, '$1');
  if (/^(?:none|null)$/i.test(text)) return null;
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : Number(text);
}

function argumentsOf(text: string): Record<string, unknown> | null {
  const given: Record<string, unknown> = {};
  ARGUMENT.lastIndex = 0;
  for (let at = 0; at < text.trimEnd().length; at = ARGUMENT.lastIndex) {
    const [, name, value] = ARGUMENT.exec(text) ?? [];
    if (name === undefined || value === undefined) return null;
    given[name] = valueOf(value);
  }
  return given;
}

/** The call in a text that is one call with named arguments, as Gemma and Llama write it; null for any other text. */
export function pythonCall(text: string, tools: readonly string[]): readonly ToolCall[] | null {
  const trimmed = text.trim();
  const code = FENCED.exec(trimmed)?.[1] ?? trimmed;
  const [, called = '', inside = ''] = CALL.exec(PRINTED.exec(code)?.[1] ?? code) ?? [];
  const name = toolNamed(called, tools);
  const args = name === null ? null : argumentsOf(inside);
  return name === null || args === null ? null : [{ id: '', name, args }];
}
