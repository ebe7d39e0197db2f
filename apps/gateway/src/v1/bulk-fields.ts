import { MAX_PER_SECOND, RETRY_MODES, USUAL_PER_SECOND, type RetryMode } from '@application/webhooks/bulk/retry-parameters';
import { withMeanings } from '../http/docs/with-meanings.js';
import { FlagField } from '../http/fields/fields.js';
import { EnumField, IntegerField } from '../http/fields/value-fields.js';

const MODE: Readonly<Record<RetryMode, string>> = {
  all: 'a fresh delivery of each event.',
  latest:
    'of each appointment only its newest event that the endpoint wants, unless that has come through. A receiver that ignores older events of an appointment ends in the same state.',
};

export function ModeField(): PropertyDecorator {
  return EnumField(RETRY_MODES, { description: withMeanings('What is sent; `all` when not given.', MODE) });
}

export function PerSecondField(): PropertyDecorator {
  const description = `How many fresh deliveries a second; ${USUAL_PER_SECOND} when not given.`;
  return IntegerField(1, MAX_PER_SECOND, { description });
}

export function DryRunField(): PropertyDecorator {
  return FlagField({ description: 'Whether the task only tells what it would do; false when not given.' });
}
