import type { StatusAction } from '@domain/conversation/reply-action';
import { beginning } from '@domain/kernel/code-points';
import { MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import type { ToolDescription } from '@ports/agent.port';

const SUMMARY = 2_000;

export const HAND_OFF: ToolDescription = {
  name: 'hand_off_to_human',
  description: 'Hands the conversation to a person, e.g. when the customer asks for one. You will not be asked again after it.',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'A short machine-readable reason, e.g. customer_requested' },
      summary: { type: 'string', description: 'What the person needs to know, in a sentence or two' },
    },
    required: ['reason', 'summary'],
    additionalProperties: false,
  },
};

export const END_CONVERSATION: ToolDescription = {
  name: 'end_conversation',
  description: 'Ends the conversation, e.g. when the customer takes leave and nothing is left to do.',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'A short machine-readable reason, e.g. resolved' } },
    required: ['reason'],
    additionalProperties: false,
  },
};

export const CONVERSATION_TOOLS: readonly ToolDescription[] = [HAND_OFF, END_CONVERSATION];

type Args = Readonly<Record<string, unknown>>;

function textOf(value: unknown, longest: number): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  return beginning(value.toWellFormed().trim(), longest);
}

export function statusActionOf(name: string, args: Args): StatusAction | null {
  if (name === HAND_OFF.name) {
    const reason = textOf(args['reason'], MAX_TEXT_LENGTH) ?? 'agent_decision';
    return { type: 'handoff', reason, summary: textOf(args['summary'], SUMMARY) };
  }
  if (name === END_CONVERSATION.name)
    return { type: 'end_conversation', reason: textOf(args['reason'], MAX_TEXT_LENGTH) ?? 'resolved' };
  return null;
}
