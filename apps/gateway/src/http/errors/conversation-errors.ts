import { MAX_QUEUED } from '@domain/conversation/conversation.decider';
import type { CatalogueEntry } from './catalogue-entry.js';

export const CONVERSATION_ERRORS = {
  conversation_handed_off: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'The conversation was handed off to a human; the agent no longer answers in it.',
    cure: 'Send `"when_handed_off": "store"` to keep the message for the human, give the conversation back to the agent (POST /v1/conversations/{id}/resume), or end it: the next message to its thread starts a new one.',
  },
  conversation_busy: {
    status: 409,
    type: 'invalid_request_error',
    cause: `${MAX_QUEUED} messages of the conversation wait for their turns already.`,
    cure: 'Send the message anew, under another key, once some of them are answered.',
  },
  conversation_not_handed_off: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'A human may write only while the conversation is handed off.',
    cure: 'Hand the conversation off first: POST /v1/conversations/{id}/handoff.',
  },
  conversation_ended: {
    status: 409,
    type: 'invalid_request_error',
    cause: 'The conversation has ended.',
    cure: 'Start a new one, or post by the external_conversation_id.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
