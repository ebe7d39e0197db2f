import type { ModelAnswer } from './model-answer.js';
import type { ToolCall } from './tool-call.js';
import type { Message } from './model-client.js';

const UNFIT_FOR_A_NAME = /[^a-zA-Z0-9_-]/g;
const MAX_NAME_LENGTH = 64;

function nameOf({ name }: ToolCall): string {
  return name.replace(UNFIT_FOR_A_NAME, '_').slice(0, MAX_NAME_LENGTH) || 'unnamed';
}

/** Servers refuse mistakes of their own model: replaces invalid JSON arguments, impossible tool names and blank content. */
export function echoOf({ content, calls, details }: Pick<ModelAnswer, 'content' | 'calls' | 'details'>): Message {
  const tool_calls = calls.map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: nameOf(call), arguments: JSON.stringify(call.args ?? {}) },
    ...(call.extra && { extra_content: call.extra }),
  }));
  const words = content.trim() === '' ? null : content;
  return { role: 'assistant', content: words, tool_calls, ...(details && { reasoning_details: details }) };
}
