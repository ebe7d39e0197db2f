import { ApiSchema } from '@nestjs/swagger';
import { idPattern } from '@domain/kernel/ids';
import { Member, one, TEXT } from '../docs/schemas.resource.js';
import { withMeanings } from '../docs/with-meanings.js';
import type { ErrorType } from './catalogue-entry.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';

/** No `enum`: codes are added without notice, and generated clients reject unknown enum values. */
const CODE = { type: 'string', examples: Object.keys(ERROR_CATALOGUE) } as const;
const ABOUT_CODE = 'What went wrong, for programs: one of the codes at `/docs/errors`. More may be added.';

const TYPE: Readonly<Record<ErrorType, string>> = {
  invalid_request_error: 'the request is not valid, or does not fit what it is about.',
  authentication_error: 'the request does not say who it is from.',
  permission_error: 'the API key may not do this.',
  idempotency_error: 'the `Idempotency-Key` cannot be used for this request, or not now.',
  rate_limit_error: 'there were too many requests.',
  api_error: 'something went wrong on our side.',
};
const TYPES = Object.keys(TYPE) as readonly ErrorType[];

const OF_THE_CODE = { type: 'string', required: false } as const;

@ApiSchema({ description: 'A parameter that failed.' })
class FailedParameterResource {
  @Member(CODE, ABOUT_CODE) code!: string;
  @Member(TEXT, 'What is wrong with it, for people.') message!: string;
  @Member({ ...TEXT, required: false }, 'Its name; absent where none is to blame.') param?: string;
}

@ApiSchema({ description: 'What went wrong. Members beyond the first six come with certain codes only.' })
class ErrorDetailsResource {
  @Member(one(...TYPES), withMeanings('What kind of error it is.', TYPE)) type!: string;
  @Member(CODE, ABOUT_CODE) code!: string;
  @Member(TEXT, 'What went wrong, for people; its words may change.') message!: string;
  @Member({ ...TEXT, required: false }, 'The member or parameter that is to blame; absent where none is.') param?: string;
  @Member(
    { type: 'string', pattern: idPattern('request') },
    'Names this request, as `Request-Id` does. In a repeated answer: the first request.',
  )
  request_id!: string;
  @Member(TEXT, 'A path on this service: the cause and cure of this code.') doc_url!: string;
  @Member(
    { type: [FailedParameterResource], required: false },
    'Every parameter that failed, the first one included; absent where only one did.',
  )
  errors?: FailedParameterResource[];
  @Member(
    OF_THE_CODE,
    'What is there already: the conversation for `external_id_taken`, the customer for `customer_exists` and `customer_already_linked`, the appointment for `appointment_duplicate`.',
  )
  existing_id?: string;
  @Member(OF_THE_CODE, 'The conversation that refused the message, or in which its reply is awaited.') conversation_id?: string;
  @Member(OF_THE_CODE, 'The stored message whose reply is missing: for `reply_timeout` and `agent_unavailable`.')
  message_id?: string;
  @Member(
    OF_THE_CODE,
    'The status that the appointment has, for `appointment_invalid_transition`, or the delivery, for `delivery_not_cancellable`.',
  )
  current_status?: string;
  @Member(
    { type: [String], required: false },
    'The statuses that the appointment can go to from there: for `appointment_invalid_transition`.',
  )
  allowed_transitions?: string[];
  @Member({ type: 'integer', format: 'int64', required: false }, 'The version that the appointment has: for `version_conflict`.')
  current_version?: number;
  @Member(OF_THE_CODE, 'The scope that the API key lacks: for `insufficient_scope`.') required_scope?: string;
}

@ApiSchema({ description: 'The body of every error.' })
export class ErrorResource {
  @Member({ type: ErrorDetailsResource }, 'What went wrong.') error!: ErrorDetailsResource;
}
