import { ApiProperty } from '@nestjs/swagger';
import { idPattern } from '@domain/kernel/ids';
import { ERROR_CATALOGUE } from './error-catalogue.js';

/** No `enum`: codes are added without notice (api-contract §14), and generated clients reject values that an enum lacks. */
const CODE = {
  type: 'string',
  examples: Object.keys(ERROR_CATALOGUE),
  description: 'One of those at `/docs/errors`; more may be added.',
} as const;
const TYPES = [...new Set(Object.values(ERROR_CATALOGUE).map(({ type }) => type))];

class FailedParameterResource {
  @ApiProperty(CODE) code!: string;
  @ApiProperty({ type: 'string' }) message!: string;
  @ApiProperty({ type: 'string', required: false }) param?: string;
}

class ErrorDetailsResource {
  @ApiProperty({ type: 'string', enum: TYPES }) type!: string;
  @ApiProperty(CODE) code!: string;
  @ApiProperty({ type: 'string', description: 'For people.' }) message!: string;
  @ApiProperty({ type: 'string', required: false, description: 'The offending parameter.' }) param?: string;
  @ApiProperty({ type: 'string', pattern: idPattern('request') }) request_id!: string;
  @ApiProperty({ type: 'string', description: 'Cause and cure of this code, on this service.' }) doc_url!: string;
  @ApiProperty({
    type: [FailedParameterResource],
    required: false,
    description: 'Every parameter that failed, when several did.',
  })
  errors?: FailedParameterResource[];
  @ApiProperty({ type: 'string', required: false }) existing_id?: string;
  @ApiProperty({ type: 'string', required: false }) conversation_id?: string;
  @ApiProperty({ type: 'string', required: false }) message_id?: string;
  @ApiProperty({ type: 'string', required: false }) current_status?: string;
  @ApiProperty({ type: [String], required: false }) allowed_transitions?: string[];
  @ApiProperty({ type: 'integer', format: 'int64', required: false }) current_version?: number;
  @ApiProperty({ type: 'string', required: false }) required_scope?: string;
}

/** The body of every error. */
export class ErrorResource {
  @ApiProperty() error!: ErrorDetailsResource;
}
