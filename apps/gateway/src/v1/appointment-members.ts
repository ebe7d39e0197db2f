import { MAX_CODE_LENGTH, MAX_MESSAGE_LENGTH } from '@domain/appointment/limits';
import { MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';

export const REASON = {
  max: MAX_TEXT_LENGTH,
  description: "Why, in the client's words: `change.reason` of the event. A word for the kind of change when not given.",
};
export const STARTS_AT = {
  required: true,
  description: 'When it starts: ISO 8601 with an offset. A time that has passed is taken too.',
  example: '2026-03-02T09:00:00Z',
};
export const ENDS_AT = {
  description: 'When it ends: ISO 8601 with an offset, later than `starts_at`. Its length stays as it was when not given.',
};
export const CODE = {
  max: MAX_CODE_LENGTH,
  required: true,
  description: 'What went wrong, for programs: a word of the client.',
  example: 'calendar_unavailable',
};
export const MESSAGE = { max: MAX_MESSAGE_LENGTH, required: true, description: 'What went wrong, for people.' };
