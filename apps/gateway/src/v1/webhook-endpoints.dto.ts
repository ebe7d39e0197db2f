import { RegisterEndpoint, RotateEndpointSecret, TestEndpoint, UpdateEndpoint } from '@application/endpoints/endpoint.commands';
import type { Origin } from '@application/origin';
import { isEventFilter } from '@domain/endpoint/event-filter';
import type { EndpointStatus } from '@domain/endpoint/endpoint.events';
import { decorated, MetadataField, rule, TextField } from '../http/fields.js';
import type { MetadataText } from '../http/metadata-text.js';
import { ChoiceField, IntegerField, ObjectField, TextsField } from '../http/value-fields.js';

const WEEK_SECONDS = 604_800;
const DAY_SECONDS = 86_400;
const MOST_FILTERS = 50;
const URL_FIELD = { max: 2048, description: 'Where events are posted.', example: 'https://api.client.example/hooks' };
const DESCRIPTION = { max: 1000 };

function FiltersField(): PropertyDecorator {
  return TextsField(MOST_FILTERS, {
    description: 'Kinds of events, exact or as `appointment.*`; empty or omitted means all.',
    example: ['appointment.*'],
    judge: rule(
      'event_filter_invalid',
      (value) => typeof value !== 'string' || isEventFilter(value),
      'takes kinds such as appointment.created, appointment.* or *',
    ),
  });
}

function HeadersField(): PropertyDecorator {
  const schema = { type: 'object', additionalProperties: { type: 'string' }, example: { 'X-Env': 'prod' } } as const;
  const areTexts = (value: object) => Object.values(value).every((each) => typeof each === 'string');
  return ObjectField(schema as never, areTexts, 'must be an object of texts');
}

/** A URL that breaks a rule of its own gets the code of that rule from the command. */
function UrlField(required: boolean): PropertyDecorator {
  return TextField({ ...URL_FIELD, required });
}

/** What may be said of an endpoint at any time. */
class EndpointDetailsDto {
  @FiltersField()
  event_filters?: readonly string[] | null;

  @TextField(DESCRIPTION)
  description?: string | null;

  @MetadataField()
  metadata?: MetadataText;

  @HeadersField()
  headers?: Readonly<Record<string, string>> | null;
}

export class RegisterEndpointDto extends EndpointDetailsDto {
  @UrlField(true)
  url!: string;

  toCommand(origin: Origin): RegisterEndpoint {
    return new RegisterEndpoint(origin, {
      url: this.url,
      filters: this.event_filters ?? [],
      description: this.description ?? null,
      headers: this.headers ?? {},
      metadata: this.metadata?.text ?? '{}',
    });
  }
}

export class UpdateEndpointDto extends EndpointDetailsDto {
  @decorated({ nullable: false }, [rule('parameter_invalid', (value) => value !== null, 'cannot be taken away')])
  @UrlField(false)
  url?: string;

  @ChoiceField(['enabled', 'disabled'])
  status?: EndpointStatus | null;

  toCommand(origin: Origin, endpointId: string): UpdateEndpoint {
    const { url, event_filters: filters, description, metadata, headers, status } = this;
    return new UpdateEndpoint(origin, endpointId, {
      ...(url === undefined ? {} : { url }),
      ...(filters === undefined ? {} : { filters: filters ?? [] }),
      ...(description === undefined ? {} : { description }),
      ...(metadata === undefined ? {} : { metadata: metadata.text }),
      ...(headers === undefined ? {} : { headers: headers ?? {} }),
      ...(status ? { status } : {}),
    });
  }
}

export class RotateSecretDto {
  @IntegerField(0, WEEK_SECONDS, {
    description: 'How long the secret before signs along; 86400 when not given, 0 ends it at once.',
  })
  grace_period_seconds?: number | null;

  toCommand(origin: Origin, endpointId: string): RotateEndpointSecret {
    return new RotateEndpointSecret(origin, endpointId, (this.grace_period_seconds ?? DAY_SECONDS) * 1_000);
  }
}

const TYPES = ['created', 'confirmed', 'rescheduled', 'cancelled', 'failed'].map((kind) => `appointment.${kind}`);

export class TestEndpointDto {
  @ChoiceField(TYPES, { description: 'appointment.created when not given.' })
  type?: string | null;

  @ObjectField({ type: 'object', additionalProperties: true } as never, () => true, 'must be an object')
  overrides?: Readonly<Record<string, unknown>> | null;

  toCommand(origin: Origin, endpointId: string): TestEndpoint {
    return new TestEndpoint(origin, endpointId, this.type ?? 'appointment.created', this.overrides ?? {});
  }
}
